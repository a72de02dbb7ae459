/** Parsed once, checked at every read. */
import { expect, test } from 'vitest';
import { storePerTest } from '../../test/timed-store.ts';
import { artifactWrite, makeArtifact, ParsedArtifacts } from './index.ts';

const open = storePerTest('file');

async function kept(text: string): Promise<string> {
  const artifact = makeArtifact(text, 'application/json');
  await open().store.commit({ writes: [artifactWrite(artifact, 0)] });
  return artifact.digest;
}

test('the same digest is parsed once and gives the same object, and only so many are kept', async () => {
  const [one, two] = [await kept('{"a":1}'), await kept('{"a":2}')];
  const { store } = open();
  const parsed: string[] = [];
  const artifacts = new ParsedArtifacts((text): unknown => {
    parsed.push(text);
    return JSON.parse(text);
  }, 1);
  const first = await artifacts.read(store, one);
  expect(await artifacts.read(store, one)).toBe(first);
  expect(await artifacts.read(store, two)).toEqual({ a: 2 });
  expect(await artifacts.read(store, one)).toEqual({ a: 1 });
  expect(parsed).toEqual(['{"a":1}', '{"a":2}', '{"a":1}']);
});

test('bytes that were altered or deleted since they were parsed are an error', async () => {
  const { store } = open();
  const digest = await kept('{"a":1}');
  const artifacts = new ParsedArtifacts((text): unknown => JSON.parse(text), 8);
  await artifacts.read(store, digest);
  const where = { digest };
  const set = { content: Buffer.from('{"a":9}') };
  await store.commit({ writes: [{ update: 'artifact_blobs', where, set }] });
  await expect(artifacts.read(store, digest)).rejects.toMatchObject({ code: 'altered' });
  await store.commit({ writes: [{ delete: 'artifact_blobs', where }] });
  await expect(artifacts.read(store, digest)).rejects.toMatchObject({ code: 'missing' });
});
