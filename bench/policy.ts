/**
 * The policy pack on a patch of 500 files, as a CI would run it: read, applied to its base, every file compared and judged.
 *
 * One decision about rights with 30 policies (Hone's own among them). Its floor is the bare engine: `statefulIsAuthorized`
 * with the same policies preparsed and a request that is made already. Both take turns, so that a busy moment hits both.
 */
import { statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs';
import { memoryRepository } from '../src/git/index.ts';
import { callOf, PolicySet, type RightAsked, Rights } from '../src/policy/index.ts';
import { checkPatch, DEFAULT_FORBIDDEN_PATHS, type PatchRules } from '../src/validate/index.ts';
import type { Measurement } from '../tools/measure.ts';

const FILES = 500;
const DECISIONS = 4000;
const POLICIES = 30;
const RUNS = 3;

const RULES: PatchRules = {
  forbiddenPaths: DEFAULT_FORBIDDEN_PATHS,
  agentFiles: ['agents/*.yaml'],
  caps: { filesMax: FILES, changedLinesMax: 2 * FILES },
  testsFor: ['src/**'],
  licences: ['MIT'],
};

const text = (at: number, wait: number) =>
  `name: agent-${at}\ntools:\n  search:\n    timeout_ms: ${wait}\n    retries: 2\nprompt: prompts/${at}.md\n`;

export const measurement: Measurement = {
  what: 'the policy pack on a patch of 500 files, and one decision about rights',
  aims: { decision_ratio: '<=1.3', diff_500_files_s: '<=1' },
  async *run({ scale, progress }) {
    yield await decisionRatio(Math.max(50, Math.round(DECISIONS * scale)));
    const count = Math.max(1, Math.round(FILES * scale));
    const repository = memoryRepository();
    const put = async (base: string | undefined, wait: number) => {
      const files = Array.from({ length: count }, (_, at) => ({
        path: `agents/a${at}.yaml`,
        content: Buffer.from(text(at, wait)),
      }));
      const tree = await repository.writeFiles(base, files);
      const author = { name: 'n', email: 'n@example.org', atMs: 0 };
      const parents = base === undefined ? [] : [base];
      return repository.commit({ tree, parents, message: 'm\n', author });
    };
    const base = await put(undefined, 100);
    const diff = await repository.diff(base, await put(base, 300));
    const seconds: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const startedMs = performance.now();
      const { files, findings } = await checkPatch({ base, diff }, repository, RULES);
      seconds.push((performance.now() - startedMs) / 1000);
      if (files !== count || findings.length > 0) throw new Error(`${findings.length} findings`);
    }
    progress(`${count} files: ${seconds.map((one) => one.toFixed(3)).join(', ')} s`);
    const value = seconds.toSorted((one, other) => one - other)[1]!;
    yield { metric: 'diff_500_files_s', value, unit: 's', n: count };
  },
};

const ASKED: RightAsked = {
  who: { actor: { kind: 'human', id: 'token:alice', verified: 'token' }, role: 'approver' },
  action: 'approve',
  subject: {
    kind: 'Proposal',
    id: 'p_1',
    tier: 'approve',
    type: 'constant_tune',
    risk: 'low',
    state: 'pending',
    proposer: 'hone',
    files: ['agents/billing/settings.yaml'],
  },
  door: 'http',
};

async function decisionRatio(count: number) {
  const own = (await PolicySet.load()).size;
  const text = Array.from(
    { length: POLICIES - own },
    (_, at) =>
      `forbid (principal, action == Action::"approve", resource) when { resource.folders.contains("agents/a${at}") } unless { principal.proof >= 3 };`,
  ).join('\n');
  const team = [{ path: 'policies/team.cedar', text }];
  const set = await PolicySet.load(team);
  if (set.size !== POLICIES) throw new Error(`${set.size} policies`);
  const rights = new Rights(async () => team);
  const call = callOf(ASKED, set.id);
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let run = 0; run < count; run++) {
    const startedMs = performance.now();
    const answer = await rights.judge(ASKED);
    const betweenMs = performance.now();
    const floor = statefulIsAuthorized(call);
    bare.push(performance.now() - betweenMs);
    ours.push(betweenMs - startedMs);
    if (!answer.allowed || floor.type !== 'success') throw new Error('it was refused');
  }
  const p50 = (all: number[]) => all.toSorted((one, other) => one - other)[all.length >> 1]!;
  const [measured, floor] = [p50(ours), p50(bare)];
  const value = measured / floor;
  return { metric: 'decision_ratio', value, measured, floor, unit: 'ratio', n: count };
}
