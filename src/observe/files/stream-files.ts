/**
 * Standard input, or anything else that comes once, as the one file of a source. It is read as it comes, in bounded
 * memory: whoever writes waits until what came before was stored. Piped in again it is recognised like any copy,
 * and only what is new is counted.
 */
import type { OpenFile, SourceFiles } from '../types.ts';
import { FlowingBytes } from './flowing-bytes.ts';

/**
 * `name` is shown to people, and is what the stream is known by when it comes again. The path that a source names
 * does not matter. To stop waiting for more, destroy what the bytes come from.
 */
export function streamSourceFiles(bytes: AsyncIterable<Uint8Array>, name: string): SourceFiles {
  const iterator = bytes[Symbol.asyncIterator]();
  let isEnded = false;
  const flowing = new FlowingBytes(async () => {
    const { done, value } = await iterator.next();
    isEnded = done === true;
    return done === true ? undefined : value;
  });
  const file: OpenFile = {
    identity: `stream:${name}`,
    // It never is at rest before its end.
    get revision() {
      return `${flowing.receivedBytes}`;
    },
    get sizeBytes() {
      return flowing.receivedBytes;
    },
    modifiedMs: null,
    comes: 'once',
    get isFinal() {
      return isEnded;
    },
    more: () => flowing.more(),
    letGo: (beforeByte) => flowing.letGo(beforeByte),
    read: async (fromByte, lengthBytes) =>
      (await flowing.read(fromByte, lengthBytes)) ?? new Uint8Array(0),
    [Symbol.asyncDispose]: async () => {},
  };
  return {
    list: async () => ({ exists: true, files: [{ name, path: name }], notes: [] }),
    open: async () => file,
  };
}
