/** Requests as protobuf, by the same definitions that Hone reads them with; ids as hexadecimal text. */
import protobuf from 'protobufjs/minimal.js';
import { MESSAGES, type Message, type Scalar } from './definitions.ts';
import type { Signal } from './model.ts';

type Writer = protobuf.Writer;

export function encodeRequest(signal: Signal, request: object): Uint8Array {
  const writer = protobuf.Writer.create();
  write(writer, MESSAGES[signal]!, request);
  return writer.finish();
}

function write(writer: Writer, definition: Message, value: object): void {
  const given = value as Readonly<Record<string, unknown>>;
  for (const [number, [name, type]] of Object.entries(definition)) {
    if (given[name] === undefined) continue;
    const isList = type.endsWith('[]');
    const inner = isList ? type.slice(0, -2) : type;
    for (const one of isList ? (given[name] as unknown[]) : [given[name]])
      writeField(writer, Number(number), { type: inner, value: one });
  }
}

function writeField(
  writer: Writer,
  number: number,
  { type, value }: { readonly type: string; readonly value: unknown },
): void {
  const tag = (wireType: number) => writer.uint32((number << 3) | wireType);
  const definition = MESSAGES[type];
  if (definition !== undefined) {
    tag(2).fork();
    write(writer, definition, value as object);
    writer.ldelim();
    return;
  }
  switch (type as Scalar) {
    case 'string':
      tag(2).string(value as string);
      return;
    case 'bytes':
      tag(2).bytes(Buffer.from(value as string, 'hex'));
      return;
    case 'bool':
      tag(0).bool(value as boolean);
      return;
    case 'double':
      tag(1).double(value as number);
      return;
    case 'int64':
      tag(0).int64(value as string);
      return;
    case 'fixed64':
      tag(1).fixed64(value as string);
      return;
    case 'sfixed64':
      tag(1).sfixed64(value as string);
      return;
    default:
      tag(0).uint32(value as number);
  }
}
