import { expect, test } from 'vitest';
import { readResult } from './read-result.ts';

const HERE = { cwd: '/', environment: {} };

async function* given(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

test('standard input is read whole, also where it comes in pieces', async () => {
  const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)];
  async function* halves() {
    yield* [first, second];
  }
  expect(await readResult(HERE, '-', halves())).toBe('é');
});

test('more than is taken is refused, not cut: what stands behind the cut would not be checked', async () => {
  const much = given('x'.repeat(1_000_000), ' See `src/none.ts`.');
  await expect(readResult(HERE, '-', much)).rejects.toMatchObject({ code: 'bad_file' });
});
