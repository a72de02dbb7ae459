/**
 * Protobuf requests as the same objects that OTLP's JSON gives. `protobufjs` reads the wire; which field is what is
 * data (`definitions.ts`), so there is no generated code and nothing is compiled at run time.
 *
 * Two bytes are enough for an empty message, so a small body could become an enormous tree: the number of messages and
 * their depth are bounded while reading.
 */
import type { Reader, Writer } from 'protobufjs/minimal.js';
import { MESSAGES, type Message, type Scalar } from './definitions.ts';
import type { Signal } from './model.ts';
import type { Fields } from './wire.ts';

/** A span with thirty attributes is some sixty messages; the tree of so many takes some hundred megabytes. */
const MESSAGES_MAX = 1_000_000;
/** Down to a value six lists deep in an attribute; deeper ones are left out. */
const DEPTH_MAX = 40;

const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;

const WIRE_TYPES: Readonly<Record<Scalar, number>> = {
  string: LENGTH,
  bytes: LENGTH,
  bool: VARINT,
  int64: VARINT,
  uint32: VARINT,
  enum: VARINT,
  double: FIXED64,
  fixed64: FIXED64,
  sfixed64: FIXED64,
};

/** Throws on anything that is not protobuf. */
type ReadProtobuf = (signal: Signal, body: Uint8Array) => Fields;
type WriteProtobuf = (write: (writer: Writer) => void) => Uint8Array;

export interface Protobuf {
  readonly read: ReadProtobuf;
  readonly write: WriteProtobuf;
}

let loaded: Promise<Protobuf> | undefined;

/** Loaded when the first such request comes: who only sends JSON does not need it. */
export function loadProtobuf(): Promise<Protobuf> {
  loaded ??= import('protobufjs/minimal.js').then(({ default: library }) => ({
    read: (signal, body) => {
      const reader = library.Reader.create(Buffer.from(body.buffer, body.byteOffset, body.length));
      return new Reading(reader).message(MESSAGES[signal]!, reader.len, 0);
    },
    write: (write) => {
      const writer = library.Writer.create();
      write(writer);
      return writer.finish();
    },
  }));
  return loaded;
}

class Reading {
  readonly #reader: Reader;
  #messages = 0;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  message(definition: Message, end: number, depth: number): Fields {
    const reader = this.#reader;
    this.#messages += 1;
    if (this.#messages > MESSAGES_MAX) throw new RangeError('too many messages');
    const found: Record<string, unknown> = {};
    while (reader.pos < end) {
      const tag = reader.uint32();
      const field = definition[tag >>> 3];
      if (field === undefined) reader.skipType(tag & 7);
      else this.#field(found, field, { wireType: tag & 7, depth });
    }
    if (reader.pos !== end) throw new RangeError('a message is longer than it says');
    return found;
  }

  #field(
    found: Record<string, unknown>,
    [name, type]: Message[number],
    { wireType, depth }: { readonly wireType: number; readonly depth: number },
  ): void {
    const isList = type.endsWith('[]');
    const inner = isList ? type.slice(0, -2) : type;
    const definition = MESSAGES[inner];
    const expected = definition === undefined ? WIRE_TYPES[inner as Scalar] : LENGTH;
    if (wireType !== expected || depth >= DEPTH_MAX) {
      this.#reader.skipType(wireType);
      return;
    }
    const value =
      definition === undefined ? this.#scalar(inner as Scalar) : this.#inner(definition, depth);
    if (!isList) found[name] = value;
    else if (found[name] === undefined) found[name] = [value];
    else (found[name] as unknown[]).push(value);
  }

  #inner(definition: Message, depth: number): Fields {
    const reader = this.#reader;
    const length = reader.uint32();
    const end = reader.pos + length;
    if (end > reader.len) throw new RangeError('a message is cut off');
    return this.message(definition, end, depth + 1);
  }

  #scalar(type: Scalar): unknown {
    const reader = this.#reader;
    switch (type) {
      case 'string':
        return reader.string();
      case 'bytes':
        return reader.bytes();
      case 'bool':
        return reader.bool();
      case 'double':
        return reader.double();
      case 'int64':
        return reader.int64().toString();
      case 'fixed64':
        return reader.fixed64().toString();
      case 'sfixed64':
        return reader.sfixed64().toString();
      default:
        return reader.uint32();
    }
  }
}
