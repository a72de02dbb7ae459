/** The contract on a format that carries state from line to line: a call's beginning and its end stand apart. */
import { z } from 'zod';
import type { Json } from '../base/index.ts';
import { fileSource, pathKey } from './files/file-source.ts';
import { fileWorld, sourceContract, type ToldCall } from './source-contract.test-support.ts';
import type { Decoded, Decoder, SourceKind } from './types.ts';

const text = z.string().min(1).max(200);
const line = z.union([
  z.tuple([z.literal('begin'), text, z.number(), text, text, text]),
  z.tuple([z.literal('end'), text, z.string().max(1000).nullable()]),
]);
type Begun = readonly [id: string, atMs: number, session: string, agent: string, tool: string];

/** More would be calls that never end. */
const WAITING_MAX = 20;

const decoder: Decoder<readonly Begun[]> = {
  start: [],
  decode(payload, waiting) {
    const refused = (detail: string) => {
      const record: Decoded = { ok: false, reason: 'not_an_event', detail };
      return { records: [record], state: waiting };
    };
    let value: unknown;
    try {
      value = JSON.parse(payload);
    } catch {
      return refused('The line is not JSON.');
    }
    const parsed = line.safeParse(value);
    if (!parsed.success) return refused('The line is neither a beginning nor an end.');
    if (parsed.data[0] === 'begin') {
      const [, ...begun] = parsed.data;
      return { records: [], state: [...waiting, begun].slice(-WAITING_MAX) };
    }
    const [, id, message] = parsed.data;
    const begun = waiting.find(([one]) => one === id);
    if (begun === undefined) return refused('It ends what did not begin.');
    const [, atMs, session, agent, tool] = begun;
    const call = { kind: 'tool_call', atMs, session, agent, tool } as const;
    const failed = message === null ? { success: true } : { success: false, errorMessage: message };
    const state = waiting.filter((one) => one !== begun);
    return { records: [{ ok: true, event: { ...call, ...failed } }], state };
  },
};

const keys = { path: pathKey };

const pairs: SourceKind<typeof keys> = {
  kind: 'pairs',
  about: 'beginnings and ends of calls, each in a line',
  keys,
  place: ({ path }) => path,
  open: ({ path }, ports) => fileSource(path, { wanted: { extensions: ['log'] }, decoder }, ports),
};

let calls = 0;
function lines({ atMs, session, agent, tool, message }: ToldCall): Json[] {
  const id = `call ${++calls}`;
  return [
    ['begin', id, atMs, session, agent, tool],
    ['end', id, message ?? null],
  ];
}

sourceContract(pairs, () =>
  fileWorld({
    extension: 'log',
    text: (told) =>
      told
        .flatMap(lines)
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
  }),
);
