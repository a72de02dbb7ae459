/**
 * What an entry of the ledger means to people, where it means something to them. That a cycle ran does not: what it
 * found and proposed has entries of its own.
 */
import type { LedgerEntry } from '../../src/contracts/ledger.ts';

const WORDS: Readonly<Record<string, string>> = {
  'diagnose.pattern_found': 'found a recurring failure',
  'proposal.created': 'proposed a change',
  'approve.asked': 'asked for a decision',
  'deploy.prepared': 'prepared a deployment and tried its way back',
  'deploy.moved': 'deployed a change',
  'deploy.reverted': 'took a change back',
  'monitor.started': 'began to watch a change',
  'monitor.probation_began': 'put a change on probation',
  'monitor.rollback_proposed': 'proposed to take a change back',
  'learn.fix_recorded': 'remembered how a change did',
};

interface EntryWords {
  readonly what: string;
  /** The title of what it is about, where some entry has it. */
  readonly about: string | undefined;
  readonly to: string | undefined;
}

export function entryWords(
  { type, data, subject }: LedgerEntry,
  titles: ReadonlyMap<string, string>,
): EntryWords | undefined {
  const what = WORDS[type];
  if (what === undefined) return undefined;
  const { outcome } = data;
  const end = typeof outcome === 'string' ? ` (${outcome.replaceAll('_', ' ')})` : '';
  return { what: `${what}${end}`, about: titles.get(subject), to: subjectLink(subject) };
}

/** The newest title of each subject, as far as these entries say. */
export function titlesIn(entries: readonly LedgerEntry[]): ReadonlyMap<string, string> {
  const titled = entries.flatMap(({ subject, data: { title } }) =>
    typeof title === 'string' ? [[subject, title.slice(0, 200)] as const] : [],
  );
  return new Map(titled);
}

/** Any type in words: `loop.cycle_started` as `loop: cycle started`. */
export const typeWords = (type: string) =>
  WORDS[type] ?? type.replace('.', ': ').replaceAll('_', ' ');

/** Where an entry's subject is shown. */
export function subjectLink(subject: string): string | undefined {
  const [kind, id] = [
    subject.slice(0, subject.indexOf(':')),
    subject.slice(subject.indexOf(':') + 1),
  ];
  if (kind === 'proposal') return `/proposals/${encodeURIComponent(id)}`;
  if (kind === 'pattern') return `/patterns/${encodeURIComponent(id)}`;
  if (kind === 'cycle') return `/loop/${encodeURIComponent(id)}`;
  return undefined;
}
