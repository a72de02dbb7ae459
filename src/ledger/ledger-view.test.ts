import { describe, expect, test } from 'vitest';
import { placeAll } from '../../test/ledger.ts';
import { storePerTest } from '../../test/timed-store.ts';
import type { CleanText } from '../base/index.ts';
import { type EntryDraft, SYSTEM } from '../facts/index.ts';
import { hashLeaf, LedgerView, verifyConsistency, verifyInclusion } from './index.ts';

const entry = (reason: string): EntryDraft => ({
  type: 'policy.resumed',
  actor: SYSTEM,
  subject: 'hone:stop',
  data: { reason: reason as CleanText },
});

describe.each([
  ['memory', 33],
  ['postgres', 11],
] as const)('LEDGER-3 proofs on %s', (kind, size) => {
  const open = storePerTest(kind);
  const grown = async () => {
    const { store } = open();
    const view = new LedgerView(store);
    const roots = [(await view.head()).root];
    for (let at = 0; at < size; at++) {
      await store.commit({ entries: [entry(`${at}`)] });
      await placeAll(store);
      roots.push((await view.head()).root);
    }
    return { view, roots };
  };

  test('every entry is proven in every ledger it stands in, by its exact bytes', async () => {
    const { view, roots } = await grown();
    expect(await view.size()).toBe(size);
    for (let of = 1; of <= size; of++)
      for (let index = 0; index < of; index++) {
        const { body } = await view.entry(index);
        const proof = await view.proveInclusion(index, of);
        const claim = { index, size: of, root: roots[of]!, proof };
        const leafHash = hashLeaf(Buffer.from(body));
        expect(verifyInclusion({ ...claim, leafHash })).toEqual({ ok: true });
        const forged = hashLeaf(Buffer.from(body.replace(`"${index}"`, '"x"')));
        expect(verifyInclusion({ ...claim, leafHash: forged }).ok).toBe(false);
      }
  });

  test('every earlier ledger is proven the beginning of every later one', async () => {
    const { view, roots } = await grown();
    for (let size2 = 1; size2 <= size; size2++)
      for (let size1 = 1; size1 <= size2; size1++) {
        const proof = await view.proveConsistency(size1, size2);
        const claim = { size1, size2, root1: roots[size1]!, root2: roots[size2]!, proof };
        expect(verifyConsistency(claim)).toEqual({ ok: true });
        expect(await view.rootAt(size1)).toEqual(roots[size1]);
      }
  });

  test('entries of one type are those, not those that speak of it', async () => {
    const { store } = open();
    const about = '"type":"policy.resumed" and {"type":"policy.resumed"}';
    const stop: EntryDraft = {
      ...entry(''),
      type: 'policy.stopped',
      data: { reason: about as CleanText, by: 'command' },
    };
    await store.commit({ entries: [entry('one'), stop, entry('two')] });
    await placeAll(store);
    const found = await new LedgerView(store).entries({ type: 'policy.resumed', limit: 10 });
    expect(found.map(({ index }) => index)).toEqual([0, 2]);
  });

  test('what is not there cannot be proven', async () => {
    const { view } = await grown();
    for (const [index, of] of [
      [0, size + 1],
      [size, size],
      [-1, 1],
      [0.5, 1],
      [0, -1],
    ] as const)
      await expect(view.proveInclusion(index, of)).rejects.toMatchObject({ code: 'out_of_range' });
    await expect(view.proveConsistency(1, size + 1)).rejects.toMatchObject({
      code: 'out_of_range',
    });
  });
});
