/** Proposals for this room's tests: one that passes, and how to change it into one that does not. */
import { digestOfBytes } from '../base/index.ts';
import type { ProposalContent } from '../facts/index.ts';
import { memoryRepository } from '../git/index.ts';
import { ENFORCED } from '../policy/index.ts';
import type { Dossier, ProposalStep } from '../proposal/index.ts';
import type { CheckOutcome, VetPorts } from './types.ts';

type Files = Readonly<Record<string, string | null>>;

/** The patch that git would write from some files to others. */
export async function diffOf(before: Files, after: Files): Promise<string> {
  const repository = memoryRepository();
  const author = { name: 'operator', email: 'operator@example.org', atMs: 0 };
  const commit = async (files: Files, base?: string) => {
    const changes = Object.entries(files).map(([path, text]) => ({
      path,
      content: text === null ? null : Buffer.from(text),
    }));
    const tree = await repository.writeFiles(base, changes);
    const parents = base === undefined ? [] : [base];
    return repository.commit({ tree, parents, message: 'change\n', author });
  };
  const base = await commit(before);
  return repository.diff(base, await commit(after, base));
}

export const SEARCH = 'agents/search.yaml';
const TEXT = 'tools:\n  search:\n    timeout_ms: 1000\n    retries: 2\n';
export const TUNED = await diffOf({ [SEARCH]: TEXT }, { [SEARCH]: TEXT.replace('1000', '3000') });

const content: ProposalContent = {
  title: 'Wait longer for the search tool',
  type: 'constant_tune',
  category: 'bugfix',
  severity: 'medium',
  risk: 'low',
  diffDigest: digestOfBytes(TUNED),
  baseCommit: 'a'.repeat(40),
  files: [SEARCH],
  change: {
    kind: 'set_value',
    file: SEARCH,
    path: ['tools', 'search', 'timeout_ms'],
    from: 1000,
    to: 3000,
  },
  reach: null,
  rationale: 'It times out.',
  rootCause: 'The limit is below its p99.',
  riskAndMitigation: 'Slower answers; watched.',
  rollback: 'Revert the commit.',
  validationPlan: 'Replay.',
  evidence: ['event:1', 'event:2', 'event:3'],
  patternId: 'pattern-1',
  proposer: { kind: 'system', id: 'hone', verified: 'local' },
};

export const PERSON = { kind: 'human', id: 'operator@example.org', verified: 'token' } as const;
export const AGENT = { kind: 'agent', id: 'coder', verified: 'token' } as const;

export interface Case {
  readonly content?: Partial<ProposalContent>;
  /** The diff's text; its digest is put into the content. */
  readonly diff?: string;
  readonly ports?: Partial<VetPorts>;
}

export function makeCase({ content: changes = {}, diff = TUNED, ports = {} }: Case): {
  dossier: Dossier;
  ports: VetPorts;
} {
  const digest = digestOfBytes('content');
  return {
    dossier: {
      proposal: {
        id: 'p1',
        version: 1,
        state: 'draft',
        digest,
        title: content.title,
        createdAtMs: 0,
        changedAtMs: 0,
      },
      content: { ...content, diffDigest: digestOfBytes(diff), ...changes },
      attestations: [],
    },
    ports: {
      diffText: async () => diff,
      limits: { filesMax: 5, changedLinesMax: 60 },
      agentFiles: [],
      openProposals: 0,
      openProposalsMax: 20,
      switches: { vetting: ENFORCED, limits: ENFORCED },
      eventExists: async (id) => ['1', '2', '3', '4'].includes(id),
      patternOf: async (id) =>
        id === 'pattern-1'
          ? { occurrences: 3, layer: 'settings', evidence: ['event:3', 'event:9'] }
          : undefined,
      nowMs: 1_000_000,
      ...ports,
    },
  };
}

export interface Report {
  readonly rubric: number;
  readonly verdict: CheckOutcome;
  readonly checks: readonly {
    readonly name: string;
    readonly outcome: CheckOutcome;
    readonly reasons: readonly string[];
  }[];
}

export function reportOf(step: ProposalStep): Report {
  const file = step.attestations?.[0]?.files?.[0];
  return JSON.parse(Buffer.from(file!.content).toString());
}
