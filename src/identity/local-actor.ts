/**
 * Who is at the command line: the OS user and the git identity. That proves little, because an agent
 * often runs as the same user; what is known to be an agent is recorded as one and never approves.
 */
import { type Actor, comparedId, SYSTEM } from '../facts/index.ts';

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
  const email = identity.gitEmail?.trim() ?? '';
  const id = (isPlainName(email) ? email : osId(identity.osUser)).slice(0, 200).toWellFormed();
  const marked = AGENT_VARIABLES.some((name) => (identity.environment[name] ?? '') !== '');
  const named = isKnownAgent(identity.agents, [email, identity.osUser]);
  return { kind: marked || named ? 'agent' : 'human', id, verified: 'local' };
}

/**
 * Ids with a word and a colon in front (`token:…`, `os:…`) and that of Hone itself are given out by Hone. Whoever
 * sets their own name must not get one of them, nor one that looks like it: compared is what people see.
 */
function isPlainName(name: string): boolean {
  const seen = comparedId(name.slice(0, 1000));
  return seen !== '' && seen !== SYSTEM.id && !/^[^@]*:/.test(seen);
}

/** Only a user named like one of Hone's own ids gets a prefix. */
function osId(user: string): string {
  return isPlainName(user) ? user : `os:${user}`;
}

/** Whether any of these identities is an agent's. Another spelling does not make another identity. */
export function isKnownAgent(
  agents: readonly KnownAgent[],
  identities: readonly string[],
): boolean {
  const wanted = new Set(identities.map(comparedId));
  wanted.delete(''); // an empty address belongs to nobody
  return agents.some(({ matches }) => matches.some((match) => wanted.has(comparedId(match))));
}
