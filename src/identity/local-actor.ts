/**
 * Who is at the command line: the OS user and the git identity. That proves little, because an agent
 * often runs as the same user; what is known to be an agent is recorded as one and never approves.
 */
import type { Actor } from '../facts/index.ts';

export interface LocalIdentity {
  readonly osUser: string;
  readonly gitEmail: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Agents that the configuration names, with the identities each is known by. */
  readonly agents: readonly { readonly name: string; readonly matches: readonly string[] }[];
}

/** Set by coding agents in the commands they start. */
const AGENT_VARIABLES = ['CLAUDECODE', 'CODEX_SANDBOX', 'GEMINI_CLI', 'CURSOR_AGENT', 'HONE_AGENT'];

export function localActor(identity: LocalIdentity): Actor {
  const id = (identity.gitEmail ?? identity.osUser).slice(0, 200).toWellFormed();
  const marked = AGENT_VARIABLES.some((name) => (identity.environment[name] ?? '') !== '');
  const named = identity.agents.some(({ matches }) => matches.some((match) => isSame(match, identity)));
  return { kind: marked || named ? 'agent' : 'human', id, verified: 'local' };
}

function isSame(match: string, { gitEmail, osUser }: LocalIdentity): boolean {
  const wanted = match.toLowerCase();
  return gitEmail?.toLowerCase() === wanted || osUser.toLowerCase() === wanted;
}
