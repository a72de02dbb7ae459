import { describe, expect, test } from 'vitest';
import { breakIn } from '../../test/ledger.ts';
import { storePerTest } from '../../test/timed-store.ts';
import { digestOfBytes } from '../base/index.ts';
import { ARTIFACT_BYTES_MAX, artifactWrite, makeArtifact, readArtifact } from './index.ts';

describe.each(['file', 'postgres'] as const)('LEDGER-1 artifacts on %s', (kind) => {
  const open = storePerTest(kind);
  const keep = async (content: Uint8Array | string, mediaType = 'text/plain') => {
    const artifact = makeArtifact(content, mediaType);
    await open().store.commit({ writes: [artifactWrite(artifact, 1)] });
    return artifact;
  };

  test('bytes come back under the digest that names them', async () => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, at) => at % 256);
    for (const content of [bytes, '', 'ü \u{1F600} \u0000'] as const) {
      const { digest } = await keep(content, 'application/x');
      const read = await readArtifact(open().store, digest);
      expect(read.mediaType).toBe('application/x');
      expect(Buffer.from(content as string).equals(Buffer.from(read.content))).toBe(true);
      expect(digest).toBe(digestOfBytes(content));
    }
  });

  test('the same bytes are kept once, by many at once', async () => {
    await Promise.all(Array.from({ length: 10 }, () => keep('same')));
    expect(await open().store.all('SELECT digest FROM artifact_blobs')).toHaveLength(1);
  });

  test('bytes that were altered behind Hone’s back are never given out', async () => {
    const { digest } = await keep('the diff that was approved');
    await using intruder = await breakIn(open().store.engine, open().place);
    const forged = Buffer.from('the diff that was  forged');
    await intruder.run('UPDATE artifact_blobs SET content = ?', [forged]);
    await expect(readArtifact(open().store, digest)).rejects.toMatchObject({ code: 'altered' });
  });

  test('what is not there is missing', async () => {
    const digest = digestOfBytes('nothing');
    await expect(readArtifact(open().store, digest)).rejects.toMatchObject({ code: 'missing' });
  });
});

test('LEDGER-1 an artifact has a size limit, to the byte', () => {
  expect(makeArtifact(Buffer.alloc(ARTIFACT_BYTES_MAX), 'x').content).toHaveLength(
    ARTIFACT_BYTES_MAX,
  );
  expect(() => makeArtifact(Buffer.alloc(ARTIFACT_BYTES_MAX + 1), 'x')).toThrow(/larger/);
});
