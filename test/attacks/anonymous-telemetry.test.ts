/**
 * Anybody on the machine can send telemetry to the receiver of `hone up`, without a token. Whatever they send, harm that
 * known telemetry shows is taken back as fast as without them, and nobody else's telemetry is called unfit.
 */
import { describe, expect, test } from 'vitest';
import { isoTime, seededRandom } from '../../src/base/index.ts';
import { judgeTelemetry } from '../../src/loop/gates.ts';
import {
  DAY,
  deployed,
  HOUR,
  MINUTE,
  said,
  type Watched,
} from '../../src/monitor/watches.test-support.ts';
import { Telemetry, TelemetryPush } from '../../src/observe/index.ts';
import { collectorOf, MemoryFiles, SETTINGS } from '../../src/observe/telemetry.test-support.ts';
import { Switches } from '../../src/policy/index.ts';
import { openSqlite, type Store, telemetryMigrations, withClock } from '../../src/store/index.ts';
import { storePerTest } from '../timed-store.ts';

interface Calls {
  readonly agent?: string;
  readonly perMinute: number;
  /** A share of them. */
  readonly failing: number;
  readonly fromMs: number;
  readonly toMs: number;
}

interface Call {
  readonly atMs: number;
  readonly agent: string;
  readonly isFailed: boolean;
  readonly id: string;
}

let made = 0;

function* callsOf({ agent = 'coder', perMinute, failing, fromMs, toMs }: Calls): Generator<Call> {
  const random = seededRandom(7);
  for (let minuteMs = fromMs; minuteMs < toMs; minuteMs += MINUTE)
    for (let at = 0; at < perMinute; at++) {
      const atMs = minuteMs + Math.floor((at * MINUTE) / perMinute);
      yield { atMs, agent, isFailed: random.next() < failing, id: `${++made}` };
    }
}

class World {
  readonly #files = new MemoryFiles();
  readonly #push: TelemetryPush;
  readonly telemetry: Telemetry;
  readonly store: Store;

  constructor(store: Store) {
    this.store = store;
    this.#push = new TelemetryPush({ store, settings: SETTINGS });
    this.telemetry = new Telemetry(store);
  }

  /** In a file that the configuration names. */
  async known(calls: Calls): Promise<void> {
    let lines = '';
    for (const { atMs, agent, isFailed, id } of callsOf(calls))
      lines += `${JSON.stringify({
        event_type: 'tool_call',
        timestamp: isoTime(atMs),
        session_id: `s${id}`,
        agent,
        tool: 'search',
        success: !isFailed,
        ...(isFailed ? { error_message: 'no answer' } : {}),
      })}\n`;
    this.#files.append('events.jsonl', lines);
    await collectorOf(this.store, this.#files).collect();
  }

  /** Over HTTP, by nobody known. */
  async anonymous(calls: Calls): Promise<void> {
    const spans = Array.from(callsOf(calls), ({ atMs, agent, isFailed, id }) => ({
      traceId: id.padStart(32, 'a'),
      spanId: id.padStart(16, 'b'),
      name: 'execute_tool search',
      startTimeUnixNano: `${atMs}000000`,
      attributes: [
        { key: 'gen_ai.operation.name', value: { stringValue: 'execute_tool' } },
        { key: 'gen_ai.agent.name', value: { stringValue: agent } },
      ],
      status: { code: isFailed ? 2 : 0 },
    }));
    expect(await this.#send({ resourceSpans: [{ scopeSpans: [{ spans }] }] })).toMatchObject({
      ok: true,
      rejected: 0,
    });
  }

  /** In the file that the configuration names. */
  async unreadable(lines: number): Promise<void> {
    this.#files.append('events.jsonl', 'not JSON\n'.repeat(lines));
    await collectorOf(this.store, this.#files).collect();
  }

  async junk(count: number): Promise<void> {
    for (let at = 0; at < count; at++)
      await this.#send({ resourceSpans: [{ scopeSpans: [{ spans: [{ name: `${at}` }] }] }] });
  }

  async #send(request: object) {
    using intake = this.#push.open('anonymous');
    const body = Buffer.from(JSON.stringify(request));
    expect(intake.take(body.length)).toBe(true);
    return await intake.send({ signal: 'traces', encoding: 'json', body });
  }
}

describe('telemetry from nobody known', () => {
  const open = storePerTest('memory');

  async function world(work: (world: World, watched: Watched) => Promise<void>): Promise<void> {
    const watched = await deployed(open());
    watched.agent = 'coder';
    const store = await openSqlite({
      path: ':memory:',
      synchronous: 'off',
      migrations: telemetryMigrations,
    });
    try {
      const made = new World(withClock(store, open().clock));
      const ports = watched.ports.bind(watched);
      watched.ports = () => ({
        ...ports(),
        rates: (metric, window, scope) => made.telemetry.rates(metric, window, scope),
      });
      await work(made, watched);
    } finally {
      await store.close();
    }
  }

  const past = ({ deployedAtMs }: Watched) => ({
    fromMs: deployedAtMs - DAY,
    toMs: deployedAtMs,
  });
  const since = ({ deployedAtMs }: Watched, hours = 1) => ({
    fromMs: deployedAtMs + MINUTE,
    toMs: deployedAtMs + hours * HOUR,
  });

  /** Half an hour after the deployment, with all of it there. */
  async function looksLater(watched: Watched) {
    await watched.take(await watched.look());
    open().clock.advance(HOUR / 2);
    return watched.look();
  }

  test('a flood of successes does not hide harm', () =>
    world(async (made, watched) => {
      await made.known({ ...past(watched), perMinute: 2, failing: 0.05 });
      await watched.take(await watched.look());
      open().clock.advance(HOUR);
      await made.known({ ...since(watched), perMinute: 2, failing: 0.6 });
      await made.anonymous({ ...since(watched), perMinute: 100, failing: 0 });
      const step = await watched.look();
      expect(step.attestations).toMatchObject([{ kind: 'monitoring', verdict: 'degraded' }]);
      expect(step.did).toContain('where 1.0 were expected');
    }));

  test('a past of failures does not make harm look normal', () =>
    world(async (made, watched) => {
      await made.known({ ...past(watched), perMinute: 2, failing: 0.05 });
      await made.anonymous({
        ...past(watched),
        fromMs: watched.deployedAtMs - HOUR,
        perMinute: 150,
        failing: 0.9,
      });
      await made.known({ ...since(watched), perMinute: 2, failing: 0.6 });
      expect((await looksLater(watched)).attestations).toMatchObject([{ verdict: 'degraded' }]);
    }));

  test('failures of agents that nobody knows do not pass for an outage', () =>
    world(async (made, watched) => {
      const fromMs = watched.deployedAtMs + HOUR;
      const toMs = fromMs + HOUR / 2; // an outage would be waited out for an hour
      const others = { agent: 'other' };
      await made.known({ ...past(watched), perMinute: 4, failing: 0.05 });
      await made.known({ ...past(watched), ...others, perMinute: 4, failing: 0.05 });
      await made.anonymous({ ...past(watched), ...others, perMinute: 2, failing: 0.05 });
      await watched.take(await watched.look());
      open().clock.advance(1.5 * HOUR);
      await made.known({ ...since(watched), perMinute: 4, failing: 0.05 });
      await made.known({ ...since(watched, 1.5), ...others, perMinute: 4, failing: 0.05 });
      await made.known({ fromMs, toMs, perMinute: 4, failing: 0.6 });
      await made.anonymous({ fromMs, toMs, ...others, perMinute: 60, failing: 0.6 });
      expect((await watched.look()).attestations).toMatchObject([{ verdict: 'degraded' }]);
    }));

  test('made-up traffic does not hide that the agent fell silent', () =>
    world(async (made, watched) => {
      await made.known({ ...past(watched), perMinute: 1, failing: 0.05 });
      await watched.take(await watched.look());
      await made.anonymous({ ...since(watched, 24), perMinute: 3, failing: 0.05 });
      open().clock.advance(DAY);
      const step = await watched.look();
      expect(step.to).toBeUndefined();
      expect(step.did).toContain('too little to judge it by');
    }));

  test('where only they tell of the agent, they are what it is judged by', () =>
    world(async (made, watched) => {
      await made.anonymous({ ...past(watched), perMinute: 2, failing: 0.05 });
      await watched.take(await watched.look());
      open().clock.advance(HOUR);
      await made.anonymous({ ...since(watched), perMinute: 2, failing: 0.6 });
      expect(said(await watched.look())).toBe(true);
    }));

  test('junk does not make the telemetry of others unfit, and their events do not make it fit', () =>
    world(async (made, watched) => {
      const nowMs = open().clock.nowMs();
      const window = { fromMs: nowMs - HOUR, toMs: nowMs };
      const switches = new Switches(watched.opened.store, {
        telemetry: 'enforce',
      } as never);
      const judged = () => judgeTelemetry({ switches, telemetry: made.telemetry }, window);
      await made.junk(80);
      expect(await judged()).toHaveProperty('refused'); // nobody else tells anything
      await made.known({ fromMs: nowMs - HOUR, toMs: nowMs, perMinute: 1, failing: 0 });
      expect(await judged()).not.toHaveProperty('refused');
      await made.unreadable(60);
      await made.anonymous({ fromMs: nowMs - HOUR, toMs: nowMs, perMinute: 20, failing: 0 });
      expect(await judged()).toHaveProperty('refused');
    }));
});
