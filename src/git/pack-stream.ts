/**
 * Objects as the stream that git exchanges them in (`gitformat-pack`): `git unpack-objects` makes loose objects of it,
 * and names each by its own hash. Nothing is a delta.
 */
import { deflateSync } from 'node:zlib';
import { nodeCrypto } from '../base/index.ts';
import type { ObjectFormat, ObjectType } from './objects.ts';

export interface NewObject {
  readonly type: ObjectType;
  readonly body: Uint8Array;
}

const TYPES: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3 };

export function packStream(objects: readonly NewObject[], format: ObjectFormat): Buffer {
  const head = Buffer.alloc(12);
  head.write('PACK');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects.length, 8);
  const parts = objects.flatMap(({ type, body }) => [
    sizeBytes(TYPES[type], body.length),
    deflateSync(body, { level: 1 }),
  ]);
  const content = Buffer.concat([head, ...parts]);
  const sum = nodeCrypto().createHash(format).update(content).digest();
  return Buffer.concat([content, sum]);
}

/** Four bits of the size beside the type, then seven in each byte; the high bit says that more follow. */
function sizeBytes(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest & 127);
  }
  return Buffer.from(bytes);
}
