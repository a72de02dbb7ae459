/**
 * Standard input, or anything else that comes once, as the one file of a source. It is read as it comes, in bounded
 * memory: whoever writes waits until what came before was stored. Piped in again it is recognised like any copy,
 * and only what is new is counted.
 */
import type { OpenFile, Sample, SourceFiles } from '../types.ts';
import { FlowingBytes } from './flowing-bytes.ts';

const SAMPLE_BYTES = 64 * 1024;
const NEWLINE = 10;

export interface StreamFiles extends SourceFiles {
  /** How it begins: at least a line, as far as one has come. */
  sample(): Promise<Sample>;
  /** Whether no more will come; what came may still have to be read. */
  isEnded(): boolean;
}

/**
 * `name` is shown to people, and is what the stream is known by when it comes again. The path that a source names
 * does not matter. `signal` ends the wait for more; then its last line may be half of one, and is not taken.
 */
export function streamSourceFiles(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  signal?: AbortSignal,
): StreamFiles {
  const iterator = bytes[Symbol.asyncIterator]();
  const stopped = whenAborted(signal);
  let isEnded = false;
  const flowing = new FlowingBytes(async () => {
    const next = await Promise.race([iterator.next(), stopped]);
    isEnded = next === undefined || next.done === true;
    return next === undefined || next.done === true ? undefined : next.value;
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
      return isEnded && signal?.aborted !== true;
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
    isEnded: () => isEnded,
    sample: async () => {
      let head = await file.read(0, SAMPLE_BYTES);
      while (head.indexOf(NEWLINE) === -1 && head.length < SAMPLE_BYTES && (await flowing.more()))
        head = await file.read(0, SAMPLE_BYTES);
      const text = Buffer.from(head).toString('utf8');
      return { path: `/${name}`, head: text, isWhole: isEnded && head.length < SAMPLE_BYTES };
    },
  };
}

function whenAborted(signal: AbortSignal | undefined): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve(undefined);
    signal?.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
