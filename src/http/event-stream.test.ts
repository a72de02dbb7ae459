/** The ledger as a stream of events: over real HTTP, cut off again and again, on both engines. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { placeAll } from '../../test/ledger.ts';
import { openTestStore, type TestStore } from '../../test/stores.ts';
import type { AppContext } from '../app/context.ts';
import type { Following } from '../app/follow-ledger.ts';
import { isRefusal } from '../app/refusal.ts';
import { ManualClock, nextTurn, ownWords, silentLog, systemClock } from '../base/index.ts';
import { errorJson } from '../contracts/index.ts';
import { type EntryDraft, SYSTEM } from '../facts/index.ts';
import { apiRoutes } from './api.ts';
import { EventStreams } from './event-stream.ts';
import { type Host, startHost } from './host.ts';

const entry = (subject: string): EntryDraft => ({
  type: 'policy.let_pass',
  actor: SYSTEM,
  subject,
  data: { gate: 'vetting', what: ownWords('one'), why: ownWords('two') },
});

interface Seen {
  readonly id: number;
  readonly subject: string | undefined;
}

/** Reads events until `enough`, then cuts the connection in the middle of whatever comes. */
async function take(
  url: string,
  headers: Record<string, string>,
  enough: (seen: readonly Seen[]) => boolean,
): Promise<Seen[]> {
  const cut = new AbortController();
  const response = await fetch(url, {
    headers: { Authorization: 'Bearer x', ...headers },
    signal: cut.signal,
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const seen: Seen[] = [];
  let rest = '';
  try {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) {
        const id = /^id: (\d+)$/m.exec(block)?.[1];
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (id === undefined) continue;
        const { subject } = data === undefined ? {} : JSON.parse(data);
        expect(Number(id)).toBeGreaterThan(seen.at(-1)?.id ?? -1);
        seen.push({ id: Number(id), subject });
        if (enough(seen)) return seen;
      }
    }
    return seen;
  } finally {
    cut.abort();
  }
}

describe.each(['file', 'postgres'] as const)('following the ledger on %s', (kind) => {
  let opened: TestStore;
  let host: Host;
  let url: string;

  beforeEach(async () => {
    opened = await openTestStore(kind);
    const { store } = opened;
    const open = () => Promise.resolve({ store, close: () => Promise.resolve() });
    const actor = { kind: 'human', id: 'token:viewer', verified: 'token' } as const;
    const ports = { clock: systemClock, log: silentLog };
    host = await startHost({
      ...ports,
      host: '127.0.0.1',
      port: 0,
      guard: { allowedHosts: [], allowedOrigins: [] },
      routes: apiRoutes({ ...ports, context: { ...ports, open } as unknown as AppContext }),
      workers: [],
      bearer: () => Promise.resolve({ actor, role: 'viewer' }),
      probe: () => Promise.resolve(),
    });
    url = `${host.url}/api/events`;
  });
  afterEach(async () => {
    await host.stop();
    await opened[Symbol.asyncDispose]();
  });

  const record = async (from: number, to: number) => {
    const subjects = Array.from({ length: to - from }, (_, at) => `proposal:p_${from + at}`);
    await opened.store.commit({ entries: subjects.map(entry) });
    await placeAll(opened.store);
  };

  test('cut off again and again, nothing is lost and nothing comes twice', async () => {
    const total = 600;
    const recording = (async () => {
      for (let at = 0; at < total; at += 20) {
        await record(at, at + 20);
        await nextTurn();
      }
    })();
    const seen: Seen[] = [];
    // Shorter and longer than what is read at once.
    for (let round = 0; seen.length < total; round++) {
      const many = 4 * (round % 7) ** 2 + 1;
      const last = seen.at(-1)?.id;
      const [query, headers] =
        last === undefined
          ? ['?after=-1', {}]
          : round % 2 === 0
            ? [`?after=${last}`, {}]
            : ['?after=0', { 'Last-Event-ID': String(last) }];
      const left = total - seen.length;
      seen.push(...(await take(url + query, headers, (got) => got.length >= Math.min(many, left))));
    }
    await recording;
    expect(seen.map(({ id }) => id)).toEqual(Array.from({ length: total }, (_, at) => at));
    expect(seen.map(({ subject }) => subject)).toEqual(
      Array.from({ length: total }, (_, at) => `proposal:p_${at}`),
    );
  });

  test('without a place to go on from, only what comes next; filters keep the place', async () => {
    await record(0, 5);
    const subject = encodeURIComponent('proposal:p_1');
    const filtered = await take(
      `${url}?after=-1&subject=${subject}`,
      {},
      (seen) => seen.length >= 5,
    );
    expect(filtered.filter((one) => one.subject !== undefined)).toEqual([
      { id: 1, subject: 'proposal:p_1' },
    ]);
    expect(filtered.at(-1)!.id).toBe(4);
    const others = await take(`${url}?after=-1&type=identity.`, {}, (seen) => seen.length >= 5);
    expect(others.every((one) => one.subject === undefined)).toBe(true);
    const next = take(url, {}, (seen) => seen.length > 0);
    for (let at = 5; ; at++) {
      await record(at, at + 1);
      const [first] = (await Promise.race([next, nextTurn()])) ?? [];
      if (first === undefined) continue;
      expect(first.id).toBeGreaterThanOrEqual(5);
      break;
    }
  });

  test('a place that the ledger does not have, and no number, are refused', async () => {
    await record(0, 2);
    const ask = async (query: string) => {
      const answer = await fetch(url + query, { headers: { Authorization: 'Bearer x' } });
      return { status: answer.status, ...errorJson.parse(await answer.json()).error };
    };
    expect(await ask('?after=2')).toMatchObject({ status: 409, code: 'refused' });
    expect(await ask('?after=x')).toMatchObject({ status: 400, code: 'query' });
    expect(await ask('?before=1')).toMatchObject({ status: 400, code: 'query' });
  });

  test('the server stops while somebody follows', async () => {
    await record(0, 1);
    let stopped: Promise<void> | undefined;
    const seen = await take(`${url}?after=-1`, {}, () => {
      stopped ??= host.stop();
      return false;
    });
    await stopped;
    expect(seen).toEqual([{ id: 0, subject: 'proposal:p_0' }]);
  });
});

describe('a stream', () => {
  const quiet = (): Following => ({
    next: (_, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve([]))),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
  const ports = (clock = new ManualClock()) => {
    const dropped: string[] = [];
    return {
      dropped,
      clock,
      log: silentLog,
      signal: new AbortController().signal,
      isStillAllowed: () => Promise.resolve(true),
      drop: () => void dropped.push('dropped'),
    };
  };

  test('whoever takes nothing for a minute is dropped, and nothing is read for them meanwhile', async () => {
    const at = ports();
    let reads = 0;
    const following: Following = {
      ...quiet(),
      next: async () => {
        reads += 1;
        return [{ index: reads, entry: null }];
      },
    };
    const stream = await new EventStreams().open(() => Promise.resolve(following), at);
    if (isRefusal(stream)) throw new Error(stream.refused);
    const reader = stream.getReader();
    for (let taken = 0; taken < 3; taken++) await reader.read();
    at.clock.advance(59_000);
    await nextTurn();
    expect([reads, at.dropped]).toEqual([2, []]);
    at.clock.advance(1_000);
    await nextTurn();
    expect([reads, at.dropped]).toEqual([2, ['dropped']]);
  });

  test('a token that is revoked ends its stream before the next entry', async () => {
    let isAllowed = true;
    let reads = 0;
    const following: Following = {
      ...quiet(),
      next: async () => {
        reads += 1;
        if (reads === 3) isAllowed = false;
        return [{ index: reads, entry: null }];
      },
    };
    const at = { ...ports(), isStillAllowed: () => Promise.resolve(isAllowed) };
    const stream = await new EventStreams().open(() => Promise.resolve(following), at);
    const text = await new Response(stream as ReadableStream).text();
    expect(text.match(/^id: \d+$/gm)).toEqual(['id: 1', 'id: 2']);
  });

  test('only so many follow at once; one that leaves makes room', async () => {
    const streams = new EventStreams();
    const open = () => streams.open(() => Promise.resolve(quiet()), ports());
    const all = await Promise.all(Array.from({ length: 50 }, open));
    expect(await open()).toHaveProperty('refused');
    await (all[0] as ReadableStream).cancel();
    expect(await open()).not.toHaveProperty('refused');
  });

  test('a fault is told, and ends it', async () => {
    const following: Following = {
      ...quiet(),
      next: () => Promise.reject(new Error('the secret is hunter2')),
    };
    const stream = await new EventStreams().open(() => Promise.resolve(following), ports());
    const text = await new Response(stream as ReadableStream).text();
    expect(text).toContain('event: fault');
    expect(text).not.toContain('hunter2');
  });
});
