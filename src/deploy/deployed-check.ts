/**
 * Which commit the agents run, from a command or a URL of the accepted configuration, or from the version that their
 * telemetry names. They answer with a commit's id, or the beginning of one, anywhere in what they say. A commit on top of the expected one has it too.
 */
import { type CommitId, GitError } from '../git/index.ts';
import { plainLine } from './plain-text.ts';
import type { ArrivalSettings, ArrivePorts } from './types.ts';

/** A question, not a deployment: it is asked again soon. */
const ASK_TIMEOUT_MS = 30_000;
/** Shorter ones fit by chance. */
const ID = /(?<![0-9a-f])[0-9a-f]{7,64}(?![0-9a-f])/gi;
const IDS_MAX = 20;

export function isChecked({ deployed }: ArrivalSettings): boolean {
  const { command, url, telemetry } = deployed;
  return command.length > 0 || url !== '' || telemetry;
}

type Asked =
  | 'not_asked'
  | { readonly isThere: true; readonly answered: string }
  | { readonly isThere: false; readonly answered: string | null; readonly why: string };

export async function askDeployed(
  commit: CommitId,
  sinceMs: number,
  ports: ArrivePorts,
): Promise<Asked> {
  if (!isChecked(ports.settings)) return 'not_asked';
  const said = await textOf(sinceMs, ports);
  if ('why' in said) return { isThere: false, answered: null, why: said.why };
  const ids = [...said.text.matchAll(ID)].slice(0, IDS_MAX).map(([id]) => id.toLowerCase());
  for (const id of ids) if (await holds(id, commit, ports)) return { isThere: true, answered: id };
  const answered = ids[0] ?? null;
  const why =
    answered === null
      ? `they name no commit ("${plainLine(said.text, 80)}").`
      : `they run ${answered.slice(0, 12)}.`;
  return { isThere: false, answered, why };
}

async function textOf(
  sinceMs: number,
  ports: ArrivePorts,
): Promise<{ text: string } | { why: string }> {
  const { settings, runner } = ports;
  const { command, url, telemetry } = settings.deployed;
  if (telemetry) return { text: (await ports.versions(sinceMs)).join(' ') };
  if (url !== '') {
    const answer = await runner.get(url, { timeoutMs: ASK_TIMEOUT_MS });
    return 'text' in answer
      ? answer
      : { why: `${plainLine(url)} did not answer (${plainLine(answer.why)}).` };
  }
  const { how, output } = await runner.run(command, { variables: {}, timeoutMs: ASK_TIMEOUT_MS });
  if (how === 'done') return { text: output };
  return {
    why: `the command that tells ${how === 'timeout' ? 'took too long' : 'failed'} (${plainLine(output, 120)}).`,
  };
}

async function holds(id: string, commit: CommitId, { repository }: ArrivePorts): Promise<boolean> {
  if (commit.startsWith(id)) return true;
  if (id.length !== commit.length) return false;
  try {
    return await repository.isAncestor(commit, id);
  } catch (error) {
    // A commit that is not known here.
    if (error instanceof GitError && error.code !== 'closed') return false;
    throw error;
  }
}
