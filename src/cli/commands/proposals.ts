/** `hone proposals list|show|diff`. */
import { listProposals, showDiff, showProposal } from '../../app/proposals.ts';
import type { ProposalList, ProposalsListInput, ShownProposal } from '../../contracts/proposal.ts';
import { statementText, targetWords } from '../../facts/index.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Io } from '../io.ts';
import { fields, table, wrap } from '../layout.ts';
import { shown, shownLines, shownProse } from '../shown.ts';

export function proposalsList(context: Context, options: ProposalsListInput): Promise<number> {
  return answer(context, listProposals(context, options), ({ proposals }) =>
    proposals.length === 0
      ? wrap('No proposals. "hone cycle" looks for something to propose.', context.io.columns)
      : listText(proposals, context.io),
  );
}

type Listed = ProposalList['proposals'][number];

/** Under each that waits, why; not where its state says the same. */
function listText(proposals: readonly Listed[], io: Io): string {
  const isSaid = ({ state, waiting }: Listed) => waiting !== null && state !== 'pending';
  return table(
    {
      head: ['ID', 'STATE', 'TITLE'],
      rows: proposals.map(({ id, state, title }) => [id, state, shown(title)]),
      isLastProse: true,
      notes: proposals.map((one) =>
        isSaid(one) ? io.style('dim', shownProse(one.waiting!)) : null,
      ),
    },
    io.columns,
  );
}

export function proposalsShow(context: Context, given: string): Promise<number> {
  return answer(context, showProposal(context, given), (seen) => showText(seen, context.io));
}

export function proposalsDiff(context: Context, given: string): Promise<number> {
  const { io } = context;
  return answer(context, showDiff(context, given), ({ diff, masked }) => {
    if (masked > 0) io.err(wrap(`${maskedText(masked)}.`, io.errorColumns));
    return colourDiff(shownLines(diff), io);
  });
}

const maskedText = (count: number) =>
  `${count} ${count === 1 ? 'secret is' : 'secrets are'} masked here, but not in what is applied`;

type Attested = ShownProposal['attestations'][number];

function showText(seen: ShownProposal, io: Io): string {
  const { columns } = io;
  const part = (title: string, text: string) =>
    `\n${io.style('bold', title)}\n${wrap(shownProse(text), columns, '  ')}`;
  const { content } = seen;
  const next = nextText(seen, columns);
  return [
    io.style('bold', wrap(shown(content.title), columns)),
    fields(
      [
        ['Id', seen.id],
        ['State', seen.state],
        ['Kind', `${content.type}, ${content.category}`],
        ['Severity', `${content.severity}; risk ${content.risk}`],
        ['Tier', seen.tier],
        ['Goes to', shown(targetWords(seen.target))],
        ['Digest', seen.digest],
      ],
      columns,
      '  ',
    ),
    seen.waiting === null ? '' : part('Where it stands', seen.waiting),
    ...approvalLines(seen).map((line) => part('Approval', line)),
    heldText(seen.held, io),
    part('Why', content.rationale),
    part('Root cause', content.rootCause),
    part('Risk', content.riskAndMitigation),
    part('Way back', content.rollback),
    letPassText(seen.letPass, io),
    `\n${io.style('bold', 'Proof')}\n`,
    ...seen.proof.map((line) => wrap(shownProse(line), columns, '  ')),
    changeHead(seen.masked, io),
    colourDiff(shownLines(seen.diff), io),
    `\n${io.style('bold', 'What happened')}\n`,
    ...seen.attestations.flatMap((one) => [
      wrap(attestationLine(one), columns, '  '),
      ...saidLines(one).map((text) => wrap(shown(text), columns, '    ')),
    ]),
    next === undefined ? '' : `\n${next}`,
  ].join('');
}

/** What people said so far, and whom it still waits for; nothing where one approval is all that is asked for. */
function approvalLines({ approval, content }: ShownProposal): string[] {
  const { needed, approvedBy, changesRequestedBy, owned, isEscalated, isPaused } = approval;
  const missing = owned.filter(({ isApproved }) => !isApproved);
  const editors = content.modifiers?.map(({ id }) => id) ?? [];
  const lines = [
    isPaused ? 'Paused; "hone proposals resume" lets it go on.' : '',
    isEscalated ? 'Escalated: only tier require decides it.' : '',
    editors.length > 0 ? `Edited by ${editors.join(', ')}, who cannot approve it alone.` : '',
    changesRequestedBy.length > 0 ? `Changes requested by ${changesRequestedBy.join(', ')}.` : '',
    needed > 1 ? `${approvedBy.length} of ${needed} approvals: ${approvedBy.join(', ')}` : '',
    ...missing.map(
      ({ file, owners }) => `${file} is owned by ${owners.join(' ')}: one of them must approve.`,
    ),
  ].filter((line) => line !== '');
  return lines.length === 0 ? [] : [lines.join(' ')];
}

function changeHead(masked: number, io: Io): string {
  const note = masked === 0 ? '' : `; ${maskedText(masked)}`;
  return `\n${wrap(`${io.style('bold', 'Change')}, exactly what would be applied${note}`, io.columns)}`;
}

/** Whoever decides must see that a gate looked away. */
function letPassText(letPass: ShownProposal['letPass'], io: Io): string {
  if (letPass.length === 0) return '';
  const lines = letPass.map(({ gate, what, why }) =>
    wrap(shown(`${gate}: ${what}: ${why}`), io.columns, '  '),
  );
  return `\n${io.style('yellow', 'Let pass by gates that do not enforce')}\n${lines.join('')}`;
}

function attestationLine(one: Attested): string {
  const at = one.at.slice(0, 16).replace('T', ' ');
  const by = `by ${shown(one.actor.id)}`;
  if (one.kind !== 'decision') return `${at}  ${statementText(one)}, ${by}`;
  const where = `at ${one.tier} for ${shown(targetWords(one.target))}`;
  return `${at}  ${statementText(one)} ${where}, ${by} (${one.actor.verified})`;
}

/** A person's reason, or a watch's numbers, under what they are about. */
function saidLines({ reason, numbers }: Attested): string[] {
  return [...(reason === '' ? [] : [reason]), ...numbers];
}

/** What to do, then the commands that do it, each on one line to be copied. */
interface Next {
  readonly words: string;
  readonly commands: readonly string[];
}

const ROLL_BACK = (id: string): Next => ({
  words: 'Take it back by hand:',
  commands: [`hone rollback ${id} --reason "…"`],
});

const NEXT: Readonly<
  Partial<Record<ShownProposal['state'], (id: string, digest: string) => Next>>
> = {
  pending: (id, digest) => ({
    words: 'Decide:',
    commands: [`hone approve ${id} --digest ${digest}`, `hone reject ${id} --reason "…"`],
  }),
  monitoring: ROLL_BACK,
  implemented: ROLL_BACK,
};

function nextText(seen: ShownProposal, columns: number): string | undefined {
  const next = nextOf(seen);
  if (next === undefined) return undefined;
  return [wrap(next.words, columns), ...next.commands.map((one) => `  ${one}\n`)].join('');
}

function nextOf({ id, state, digest, stuck, held }: ShownProposal): Next | undefined {
  if (stuck) return settleNext(id);
  if (state === 'quarantined') return releaseNext(id, held);
  return NEXT[state]?.(id, digest.slice(7, 19));
}

function heldText(held: ShownProposal['held'], io: Io): string {
  if (held.length === 0) return '';
  const lines = held.map(({ name, rule, why }) =>
    wrap(shown(`${name}${rule === null ? '' : ` (rule ${rule})`}: ${why}`), io.columns, '  '),
  );
  return `\n${io.style('yellow', 'Held by vetting')}\n${lines.join('')}`;
}

/** Nobody can release what a rule of the constitution holds. */
function releaseNext(id: string, held: ShownProposal['held']): Next {
  const close = `hone reject ${id} --reason "…"`;
  if (held.some(({ rule }) => rule !== null)) {
    const words = 'The constitution holds it, and nobody can release it. Close it:';
    return { words, commands: [close] };
  }
  const release = `hone proposals release ${id} --reason "…"`;
  return { words: 'Let it go on, or close it:', commands: [release, close] };
}

const settleNext = (id: string): Next => ({
  words: 'It could not be taken back. Do it on the branch, or leave it there; then say so:',
  commands: [`hone settle ${id} --reverted --reason "…"`, `hone settle ${id} --kept --reason "…"`],
});

/** Green and red on a terminal; the text stays the same without colour. */
function colourDiff(diff: string, io: Io): string {
  const lines = diff.replace(/\n$/, '').split('\n');
  const colour = (line: string) => {
    if (line.startsWith('+') && !line.startsWith('+++')) return io.style('green', line);
    if (line.startsWith('-') && !line.startsWith('---')) return io.style('red', line);
    return line;
  };
  return `${lines.map(colour).join('\n')}\n`;
}
