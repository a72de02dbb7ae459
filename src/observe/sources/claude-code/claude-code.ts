/** Transcripts of Claude Code: one file for each session, its sub-agents in files below it. */

import type { FileFormat } from '../../files/file-source.ts';
import { fileSource, pathKey } from '../../files/file-source.ts';
import type { Decoder, Recognised, Sample, SourceKind } from '../../types.ts';
import { parseLine } from '../transcripts/parse-line.ts';
import { projectsKey, takenBy } from '../transcripts/projects.ts';
import { fieldsOf, nameOf, textOf } from '../transcripts/values.ts';
import { claudeDecoder } from './decoder.ts';
import { KNOWN_TYPES, sessionOfFile } from './line.ts';

const keys = { path: pathKey, projects: projectsKey };

/** A line holds whole files and images. */
const LINE_BYTES_MAX = 8 * 1024 * 1024;

export const claudeCode: SourceKind<typeof keys> = {
  kind: 'claude-code',
  about:
    'transcripts of Claude Code, such as ~/.claude/projects; of the target’s sessions, or with projects: all of every project',
  keys,
  place: ({ path }) => path,
  open: ({ path, projects }, ports) =>
    fileSource(path, formatOf(claudeDecoder(takenBy(projects, ports.root))), ports),
  recognise,
};

function formatOf(decoder: ReturnType<typeof claudeDecoder>): FileFormat {
  return {
    wanted: { extensions: ['jsonl'], accepts: isTranscript },
    decoder: decoder as unknown as Decoder,
    payloadBytesMax: LINE_BYTES_MAX,
  };
}

/** Not the history of prompts, nor what tools and workflows leave beside the transcripts. */
export function isTranscript(pathBelow: string): boolean {
  const parts = pathBelow.split('/');
  const name = parts.at(-1)!;
  if (parts.includes('tool-results')) return false;
  if (sessionOfFile(name) !== undefined || name.startsWith('agent-')) return true;
  return parts.length === 1 && name !== 'history.jsonl' && name !== 'journal.jsonl';
}

const LINES_MAX = 40;

/** By the envelope: of what else has been seen, nothing has session, place and version with such types. */
function recognise({ head, isWhole }: Sample): Recognised | undefined {
  const lines = head.split('\n', LINES_MAX);
  const whole = isWhole || lines.length === LINES_MAX ? lines : lines.slice(0, -1);
  let messages = 0;
  let typed = 0;
  let others = 0;
  let version: string | undefined;
  let project: string | undefined;
  for (const line of whole) {
    if (line.trim() === '') continue;
    const fields = parseLine(line);
    const type = textOf(fields?.['type']);
    const isOurs =
      fields !== null && fields !== undefined && nameOf(fields['sessionId']) !== undefined;
    if (type === undefined || !KNOWN_TYPES.has(type)) others += 1;
    else if (isOurs && (type === 'user' || type === 'assistant') && fieldsOf(fields['message'])) {
      messages += 1;
      version ??= nameOf(fields['version']);
      project ??= textOf(fields['cwd']);
    } else if (isOurs || type === 'summary' || type === 'file-history-snapshot') typed += 1;
    else others += 1;
  }
  if (messages + typed === 0 || others > messages + typed) return undefined;
  const by = version === undefined ? '' : `, written by ${version}`;
  // Without a message it may be the sidecar of another client.
  const certainty = messages > 0 && version !== undefined ? 0.98 : messages > 0 ? 0.85 : 0.6;
  return {
    certainty,
    what: `Claude Code transcript${by}`,
    ...(project === undefined ? {} : { project }),
  };
}
