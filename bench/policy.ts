/**
 * The policy pack on a patch of 500 files, as a CI would run it: read, applied to its base, every file compared and judged.
 * Authorisation by Cedar is not built, so its decision has no figure.
 */
import { memoryRepository } from '../src/git/index.ts';
import { checkPatch, DEFAULT_FORBIDDEN_PATHS } from '../src/validate/index.ts';
import type { Measurement } from '../tools/measure.ts';

const FILES = 500;
const RUNS = 3;

const text = (at: number, wait: number) =>
  `name: agent-${at}\ntools:\n  search:\n    timeout_ms: ${wait}\n    retries: 2\nprompt: prompts/${at}.md\n`;

export const measurement: Measurement = {
  what: 'the policy pack on a patch of 500 files',
  aims: { diff_500_files_s: '<=1' },
  async *run({ scale, progress }) {
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
      const { files, findings } = await checkPatch(
        { base, diff },
        repository,
        DEFAULT_FORBIDDEN_PATHS,
      );
      seconds.push((performance.now() - startedMs) / 1000);
      if (files !== count || findings.length > 0) throw new Error(`${findings.length} findings`);
    }
    progress(`${count} files: ${seconds.map((one) => one.toFixed(3)).join(', ')} s`);
    const value = seconds.toSorted((one, other) => one - other)[1]!;
    yield { metric: 'diff_500_files_s', value, unit: 's', n: count };
  },
};
