/**
 * Who is at the command line: the OS user and the git identity. That proves little, because an agent
 * often runs as the same user; what is known to be an agent is recorded as one and never approves.
 */
import type { Actor } from '../facts/index.ts';

/** An agent that the configuration names, with the identities it is known by. */
export interface KnownAgent {
  readonly name: string;
  readonly matches: readonly string[];
}

export interface LocalIdentity {
  readonly osUser: string;
  readonly gitEmail: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly agents: readonly KnownAgent[];
}

/** Set by coding agents in the commands they start. */
const AGENT_VARIABLES = ['CLAUDECODE', 'CODEX_SANDBOX', 'GEMINI_CLI', 'CURSOR_AGENT', 'HONE_AGENT'];

export function localActor(identity: LocalIdentity): Actor {
  // An empty `user.email` is no identity.
  const id = (identity.gitEmail?.trim() || identity.osUser).slice(0, 200).toWellFormed();
  const marked = AGENT_VARIABLES.some((name) => (identity.environment[name] ?? '') !== '');
  const named = isKnownAgent(identity.agents, [identity.gitEmail?.trim() ?? '', identity.osUser]);
  return { kind: marked || named ? 'agent' : 'human', id, verified: 'local' };
}

/** Whether any of these identities is an agent's. Letter case does not make another identity. */
export function isKnownAgent(
  agents: readonly KnownAgent[],
  identities: readonly string[],
): boolean {
  const wanted = new Set(identities.map((identity) => identity.toLowerCase()));
  return agents.some(({ matches }) => matches.some((match) => wanted.has(match.toLowerCase())));
}
