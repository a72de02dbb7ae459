/** The list of all proposals with statistics, as Markdown. */
import { isoTime } from '../base/index.ts';
import { PROPOSAL_STATES, SEVERITIES } from '../facts/index.ts';
import { mask } from '../sanitise/index.ts';
import { inline } from './markdown.ts';
import type { IndexRow } from './types.ts';

const UNKNOWN = '—';

/** The newest first. */
export function renderIndex(rows: readonly IndexRow[]): string {
  const sorted = [...rows].sort(
    (a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0),
  );
  const table = [
    '| Date | ID | Title | Status | Severity |',
    '|---|---|---|---|---|',
    ...sorted.map(rowText),
  ].join('\n');
  return `# Proposals\n\n${table}\n\n## Statistics\n\n${statistics(rows)}\n`;
}

function rowText({ id, title, state, createdAtMs, severity, page }: IndexRow): string {
  const name = page === null ? inline(id) : `[${inline(id)}](${page})`;
  const cells = [
    isoTime(createdAtMs).slice(0, 10),
    name,
    inline(mask(title).text),
    state,
    severity ?? UNKNOWN,
  ];
  return `| ${cells.join(' | ')} |`;
}

function statistics(rows: readonly IndexRow[]): string {
  const tally = <W extends string>(words: readonly W[], of: (row: IndexRow) => W | null) =>
    words
      .map((word) => [word, rows.filter((row) => of(row) === word).length] as const)
      .filter(([, number]) => number > 0)
      .map(([word, number]) => `${word} ${number}`)
      .join(', ');
  return [
    `- Proposals: ${rows.length}`,
    `- By status: ${tally(PROPOSAL_STATES, ({ state }) => state) || 'none'}`,
    `- By severity: ${tally(SEVERITIES, ({ severity }) => severity) || 'none'}`,
  ].join('\n');
}

const ROW = /^\| [\d-]{10} \| \[?(\w{1,100})[^|]* \|.*\| (low|medium|high|critical) \|$/;

/** The severities that an index names, by id. It may have been edited: a row that is not ours is left out. */
export function readSeverities(index: string): Map<string, NonNullable<IndexRow['severity']>> {
  const found = new Map<string, NonNullable<IndexRow['severity']>>();
  for (const line of index.split('\n')) {
    const match = line.length > 2000 ? null : ROW.exec(line);
    if (match !== null) found.set(match[1]!, match[2] as NonNullable<IndexRow['severity']>);
  }
  return found;
}
