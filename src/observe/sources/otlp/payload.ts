/** A body that somebody pushed, as records: JSON or protobuf, of one signal. */
import type { Encoding } from './answers.ts';
import { parseBounded } from './bounded-json.ts';
import type { Signal } from './model.ts';
import { loadProtobuf } from './protobuf.ts';
import { type RequestRecords, requestRecords } from './request.ts';
import { type Fields, fieldsOf } from './wire.ts';

export interface Payload {
  readonly signal: Signal;
  readonly encoding: Encoding;
  readonly body: Uint8Array;
}

export type DecodedPayload =
  | ({ readonly ok: true } & RequestRecords)
  /** The whole body is unreadable: its sender must not send it again. */
  | { readonly ok: false; readonly why: string };

/** Never rejects: whatever was sent is either records or a sentence that repeats none of it. */
export async function decodePayload(payload: Payload, receivedMs: number): Promise<DecodedPayload> {
  const request = await requestOf(payload);
  if (request === undefined)
    return { ok: false, why: `The body is not a readable ${payload.signal} request.` };
  try {
    return { ok: true, ...requestRecords(payload.signal, request, receivedMs) };
  } catch {
    return { ok: false, why: 'Hone failed to read the request.' };
  }
}

async function requestOf({ signal, encoding, body }: Payload): Promise<Fields | undefined> {
  if (encoding === 'json') {
    const parsed = parseBounded(new TextDecoder().decode(body));
    const isObject =
      typeof parsed?.value === 'object' && parsed.value !== null && !Array.isArray(parsed.value);
    return isObject ? fieldsOf(parsed.value) : undefined;
  }
  const { read } = await loadProtobuf();
  try {
    return read(signal, body);
  } catch {
    return undefined;
  }
}
