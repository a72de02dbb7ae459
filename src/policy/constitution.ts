/**
 * The constitution as data: eleven rules that no configuration switches off, each with the rooms that
 * enforce it. Verdicts cite rules by number.
 */
export interface Rule {
  readonly number: number;
  readonly title: string;
  readonly says: string;
  /** Rooms, in the order a change meets them. */
  readonly enforcedBy: readonly string[];
}

export interface Constitution {
  /** Grows with every change to a rule; reports name it. */
  readonly version: number;
  readonly rules: readonly Rule[];
}

export const CONSTITUTION: Constitution = {
  version: 1,
  rules: [
    {
      number: 1,
      title: 'A person agrees',
      says: 'Protected subjects change only with the approval of a person.',
      enforcedBy: ['proposal', 'approve'],
    },
    {
      number: 2,
      title: 'Not your own',
      says: 'Nobody approves their own proposal, and an agent approves none.',
      enforcedBy: ['proposal', 'approve'],
    },
    {
      number: 3,
      title: 'Recorded first',
      says: 'Every change is in the ledger in the same commit, before it takes effect.',
      enforcedBy: ['ledger', 'store', 'proposal'],
    },
    {
      number: 4,
      title: 'Reversible',
      says: 'A change says how it is undone, and undoing it was tried before it is made.',
      enforcedBy: ['vet', 'deploy'],
    },
    {
      number: 5,
      title: 'Claims need evidence',
      says: 'A claim leads back to events that exist and to a failure that recurs.',
      enforcedBy: ['vet'],
    },
    {
      number: 6,
      title: 'Declared scope',
      says: 'A change touches the files it declares, stays small and leaves forbidden paths alone.',
      enforcedBy: ['vet', 'validate'],
    },
    {
      number: 7,
      title: 'Rate limits',
      says: 'The number of cycles, open proposals and changes is limited.',
      enforcedBy: ['loop', 'vet', 'deploy'],
    },
    {
      number: 8,
      title: 'No added privilege',
      says: 'A change gives no agent a tool, permission, host or endpoint that it did not have.',
      enforcedBy: ['validate'],
    },
    {
      number: 9,
      title: 'Kill switch',
      says: 'Anybody can stop every automatic step; only a person starts them again.',
      enforcedBy: ['policy', 'proposal', 'loop'],
    },
    {
      number: 10,
      title: 'No judge of its own',
      says: 'No change edits the gates, policies, tests or evaluators that judge it.',
      enforcedBy: ['vet', 'validate'],
    },
    {
      number: 11,
      title: 'Secrets stay',
      says: 'Secrets and personal data never leave: not in a diff, a text, a report or a message.',
      enforcedBy: ['observe', 'vet'],
    },
  ],
};
