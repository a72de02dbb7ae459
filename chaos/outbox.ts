/**
 * Processes that send effects to a real HTTP server on loopback are killed at any moment: before the
 * claim, between claim, send and settle, after it. The server loses answers, cuts connections, and
 * carries out requests after their sender gave up. Every effect that was queued happens, once: at
 * destinations that honour keys, at those that can be asked, and at those that can do neither it
 * happens at most once and what nobody can know is shown as uncertain. In all lanes, on both engines. The control
 * takes away what the destinations can do: keys are not honoured, and asking finds nothing.
 */
import { join } from 'node:path';
import { type Random, seededRandom, systemClock } from '../src/base/index.ts';
import { LANES } from '../src/facts/index.ts';
import { listEffects } from '../src/outbox/index.ts';
import type { Store } from '../src/store/index.ts';
import { makeTemplate } from '../test/postgres-database.ts';
import { startPostgres } from '../test/postgres-server.ts';
import { bundleScript, type ScriptBundle } from '../tools/bundle-script.ts';
import type { Context, Measurement } from '../tools/measure.ts';
import { start } from './parts/child.ts';
import { type EffectsServer, type Fate, startEffectsServer } from './parts/effects-server.ts';
import { inFolder } from './parts/folder.ts';
import { DESTINATIONS, LIMITS, openOutboxStore, templateUrl } from './parts/outbox-store.ts';

const EFFECTS = { sqlite: 900, postgres: 360 };
const CONTROL_EFFECTS = 180;
/** At least so many are killed, however fast everything was sent. */
const KILLS_SHARE = 0.06;
const SENDERS = 2;
const LIFE_MS_MAX = 220;
const DRAIN_MS_MAX = 120_000;

interface Tally {
  deliveries: number;
  duplicates: number;
  missing: number;
  uncertain: number;
  kills: number;
  /** Requests carried out after their sender gave up or was cut off. */
  late: number;
  /** Requests that were carried out and whose answer never came. */
  lost: number;
  /** Connections cut before anything was done. */
  cut: number;
}

const NONE: Tally = {
  deliveries: 0,
  duplicates: 0,
  missing: 0,
  uncertain: 0,
  kills: 0,
  late: 0,
  lost: 0,
  cut: 0,
};

export const measurement: Measurement = {
  what: 'every queued effect happens once, whoever is killed while sending',
  aims: {
    duplicate_effects: '<=0',
    missing_effects: '<=0',
    deliveries: '>=1000',
    control_caught: '>=1',
  },
  run: (context) => run(context),
};

async function* run(context: Context) {
  const total = { ...NONE };
  let control = total;
  await inFolder(async (folder) => {
    const bundle = await bundleScript(new URL('./parts/outbox-worker.ts', import.meta.url), folder);
    const server = await startPostgres();
    try {
      await makeTemplate(server.url);
      const places = { sqlite: join(folder, 'control.db'), postgres: templateUrl(server.url) };
      for (const engine of ['sqlite', 'postgres'] as const) {
        const effects = Math.ceil(EFFECTS[engine] * context.scale);
        const tally = await attempt(
          { place: places[engine], effects, dedupe: true, bundle },
          context,
        );
        context.progress(`${engine}: ${JSON.stringify(tally)}`);
        for (const figure of Object.keys(total) as (keyof Tally)[]) total[figure] += tally[figure];
      }
      const place = join(folder, 'control', 'control.db');
      const without = { place, effects: CONTROL_EFFECTS, dedupe: false, bundle };
      control = await attempt(without, context);
    } finally {
      await server.stop();
    }
  });
  yield { metric: 'duplicate_effects', value: total.duplicates };
  yield { metric: 'missing_effects', value: total.missing };
  yield { metric: 'deliveries', value: total.deliveries };
  yield { metric: 'kills', value: total.kills };
  yield { metric: 'late', value: total.late, note: 'carried out after their sender had left' };
  yield { metric: 'lost', value: total.lost, note: 'carried out, and the answer never came' };
  yield { metric: 'cut', value: total.cut, note: 'never carried out' };
  yield { metric: 'uncertain', value: total.uncertain, note: 'shown to a person' };
  const note = `${control.duplicates} duplicates of ${control.deliveries} without keys and finding`;
  yield { metric: 'control_caught', value: control.duplicates > 0 ? 1 : 0, note };
}

interface Attempt {
  readonly place: string;
  readonly effects: number;
  readonly dedupe: boolean;
  readonly bundle: ScriptBundle;
}

async function attempt(options: Attempt, context: Context): Promise<Tally> {
  const { place, effects, dedupe, bundle } = options;
  const random = seededRandom(context.seed);
  const { sendTimeoutMs } = LIMITS;
  await using server = await startEffectsServer(random, { dedupe, sendTimeoutMs });
  const store = await openOutboxStore(place);
  try {
    await queue(store, effects);
    const killed = { count: 0 };
    const enough = Math.ceil(effects * KILLS_SHARE);
    const lane = async (name: number) => {
      while (killed.count < enough && (await openEffects(store)) > 0) {
        await sendAndDie({ bundle, place, server, name: `${name}/${killed.count}`, random });
        killed.count += 1;
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, (_, name) => lane(name)));
    await drain({ bundle, place, server });
    await server.idle(); // what is still to happen counts too
    return await count(store, server, killed.count);
  } finally {
    await store.close();
  }
}

async function queue(store: Store, effects: number): Promise<void> {
  for (let at = 0; at < effects; at++) {
    const { name } = DESTINATIONS[at % DESTINATIONS.length]!;
    const lane = LANES[Math.floor(at / DESTINATIONS.length) % LANES.length]!;
    const effect = { key: `${name}/${at}`, destination: name, payload: { at } };
    await store.commit({ effects: [{ ...effect, step: 'notify', lane }] });
  }
}

async function openEffects(store: Store): Promise<number> {
  const states = ['queued', 'sending'] as const;
  return (await listEffects(store, { states, limit: 1 })).length;
}

interface Sender {
  readonly bundle: ScriptBundle;
  readonly place: string;
  readonly server: EffectsServer;
}

async function sendAndDie(options: Sender & { name: string; random: Random }): Promise<void> {
  const { bundle, place, server, name } = options;
  const opened = Promise.withResolvers<void>();
  const child = start({
    command: process.execPath,
    args: [bundle.file, place, server.url, name],
    env: bundle.env,
    limitMs: 30_000,
    output: () => opened.resolve(),
  });
  await Promise.race([opened.promise, child.ended]);
  await systemClock.sleep(options.random.next() * LIFE_MS_MAX);
  child.kill();
  const { signal, stderr } = await child.ended;
  if (signal !== 'SIGKILL') throw new Error(`a sender ended by itself: ${stderr}`);
}

/** A healthy sender finishes what is left. */
async function drain({ bundle, place, server }: Sender): Promise<void> {
  const { ended } = start({
    command: process.execPath,
    args: [bundle.file, place, server.url, 'healthy', 'drain'],
    env: bundle.env,
    limitMs: DRAIN_MS_MAX,
    output: () => {},
  });
  const { code, stderr, timedOut } = await ended;
  if (code !== 0) throw new Error(timedOut ? 'effects were left open' : stderr);
}

async function count(store: Store, server: EffectsServer, kills: number): Promise<Tally> {
  const fate = (name: Fate) => server.fates.get(name) ?? 0;
  const late = fate('cut_then_done') + fate('done_after_timeout');
  const tally = { ...NONE, kills, late, lost: fate('answer_lost'), cut: fate('cut') };
  for (const { key, state } of await listEffects(store, { limit: 1_000_000 })) {
    const times = server.happened.get(key) ?? 0;
    if (times > 1) tally.duplicates += 1;
    if (state === 'delivered') tally.deliveries += 1;
    if (state === 'uncertain') tally.uncertain += 1;
    else if (times === 0 || state !== 'delivered') tally.missing += 1;
  }
  return tally;
}
