/** What a receiver answers, in the encoding of the request: success, partial success, and `Status` for errors. */

import type { Signal } from './model.ts';
import { loadProtobuf } from './protobuf.ts';

export type Encoding = 'json' | 'protobuf';

const REJECTED: Readonly<Record<Signal, string>> = {
  traces: 'rejectedSpans',
  logs: 'rejectedLogRecords',
  metrics: 'rejectedDataPoints',
};

/** `ExportTraceServiceResponse` and its siblings. An empty one means that everything was accepted. */
export async function successBody(
  encoding: Encoding,
  signal: Signal,
  { rejected, message }: { readonly rejected: number; readonly message: string },
): Promise<Uint8Array> {
  const isPartial = rejected > 0 || message !== '';
  if (encoding === 'json') {
    // 64-bit integers are texts in protobuf's JSON.
    const partialSuccess = { [REJECTED[signal]]: `${rejected}`, errorMessage: message };
    return Buffer.from(JSON.stringify(isPartial ? { partialSuccess } : {}));
  }
  if (!isPartial) return new Uint8Array();
  const { write } = await loadProtobuf();
  return write((writer) => {
    writer.uint32(tag(1, 2)).fork();
    if (rejected > 0) writer.uint32(tag(1, 0)).int64(rejected);
    writer.uint32(tag(2, 2)).string(message).ldelim();
  });
}

/** `google.rpc.Status`. */
export async function statusBody(
  encoding: Encoding,
  { code, message }: { readonly code: number; readonly message: string },
): Promise<Uint8Array> {
  if (encoding === 'json') return Buffer.from(JSON.stringify({ code, message }));
  const { write } = await loadProtobuf();
  return write((writer) => {
    writer.uint32(tag(1, 0)).int32(code).uint32(tag(2, 2)).string(message);
  });
}

const tag = (field: number, wireType: number) => (field << 3) | wireType;
