/** Rollouts of Codex: one file for each session, in folders by day. */
import { fileSource, pathKey } from '../../files/file-source.ts';
import type { Decoder, Recognised, Sample, SourceKind } from '../../types.ts';
import { parseLine } from '../transcripts/parse-line.ts';
import { projectsKey, takenBy } from '../transcripts/projects.ts';
import { nameOf, textOf } from '../transcripts/values.ts';
import { codexDecoder } from './decoder.ts';
import { lineOf } from './line.ts';
import { cwdIn } from './user-text.ts';

const keys = { path: pathKey, projects: projectsKey };

/** A line holds what a command printed, and images. */
const LINE_BYTES_MAX = 8 * 1024 * 1024;

export const codex: SourceKind<typeof keys> = {
  kind: 'codex',
  about:
    'rollouts of Codex, such as ~/.codex/sessions; of the target’s sessions, or with projects: all of every project',
  keys,
  place: ({ path }) => path,
  open: ({ path, projects }, ports) =>
    fileSource(
      path,
      {
        wanted: { extensions: ['jsonl'], accepts: isRollout },
        decoder: codexDecoder(takenBy(projects, ports.root)) as unknown as Decoder,
        payloadBytesMax: LINE_BYTES_MAX,
      },
      ports,
    ),
  recognise,
};

/** Not the history of prompts, nor the index of sessions. */
export function isRollout(pathBelow: string): boolean {
  const parts = pathBelow.split('/');
  const name = parts.at(-1)!;
  if (name.startsWith('rollout-')) return true;
  return parts.length === 1 && name !== 'history.jsonl' && name !== 'session_index.jsonl';
}

const LINES_MAX = 40;

function recognise({ head, isWhole }: Sample): Recognised | undefined {
  const lines = head.split('\n', LINES_MAX);
  const whole = isWhole || lines.length === LINES_MAX ? lines : lines.slice(0, -1);
  let found = 0;
  let bare = 0;
  let others = 0;
  let hasMeta = false;
  let version: string | undefined;
  let project: string | undefined;
  for (const text of whole) {
    if (text.trim() === '') continue;
    const fields = parseLine(text);
    const line = fields ? lineOf(fields) : 'unknown';
    if (line === undefined) continue;
    if (line === 'unknown') others += 1;
    else if (line.isBare) bare += 1;
    else found += 1;
    if (line === 'unknown') continue;
    if (line.type === 'session_meta') {
      hasMeta ||= !line.isBare || 'instructions' in line.payload;
      version ??= nameOf(line.payload['cli_version']);
    }
    project ??= textOf(line.payload['cwd']) ?? cwdIn(line.payload);
  }
  const isOne = hasMeta || found > 1;
  if (!isOne || others > found + bare) return undefined;
  const by = version === undefined ? '' : `, written by ${version}`;
  return {
    certainty: hasMeta ? 0.97 : 0.8,
    what: `Codex rollout${by}`,
    ...(project === undefined ? {} : { project }),
  };
}
