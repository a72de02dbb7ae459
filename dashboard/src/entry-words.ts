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

export function entryWords({
  type,
  data,
  subject,
}: LedgerEntry): { what: string; to: string | undefined } | undefined {
  const what = WORDS[type];
  if (what === undefined) return undefined;
  const title = [data['title'], data['outcome']].find((one) => typeof one === 'string');
  return {
    what:
      title === undefined
        ? what
        : `${what}: ${words(String(title), title === data['outcome']).slice(0, 120)}`,
    to: subjectLink(subject),
  };
}

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

/** The words of an outcome; a title stays as it is. */
const words = (text: string, isOutcome: boolean) => (isOutcome ? text.replaceAll('_', ' ') : text);
