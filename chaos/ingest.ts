/**
 * Processes that receive telemetry over HTTP and one that imports it from files are killed at any moment under load:
 * while they start, between two commits, before a commit, and between a commit and its answer. Two receive at once into
 * one store. Senders repeat what was not acknowledged. In the end every event that was acknowledged, and every line that
 * was written, is there once, and the counts agree with the events. On both engines.
 *
 * The controls take out the memory of what was stored, and waiting for the commit before the answer.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, randomInt, seededRandom, systemClock } from '../src/base/index.ts';
import type { Store } from '../src/store/index.ts';
import { makeTemplate } from '../test/postgres-database.ts';
import { startPostgres } from '../test/postgres-server.ts';
import { bundleScript, type ScriptBundle } from '../tools/bundle-script.ts';
import type { Context, Measurement } from '../tools/measure.ts';
import { type Child, start } from './parts/child.ts';
import { inFolder } from './parts/folder.ts';
import { openIngestStore } from './parts/ingest-store.ts';
import type { IngestWorkerOptions } from './parts/ingest-worker.ts';
import { request, Senders } from './parts/otlp-senders.ts';

const KILLS = { sqlite: 150, postgres: 60 };
const CONTROL_KILLS = 9;
const RECEIVERS = 2;
const SENDERS = 4;
const PAUSE_MS = 12;
const LIFE_MS_MAX = 350;
const COMMITS_MAX = 12;
const LINES_EVERY_MS = 15;
const LINE_SPANS = 5;
const PROCESS_MS_MAX = 60_000;

interface Tally {
  kills: number;
  acknowledged: number;
  repeated: number;
  lost: number;
  duplicated: number;
  /** Between the counts and the events. */
  miscounted: number;
}

interface Trial {
  readonly place: string;
  /** Of the files that are imported. */
  readonly folder: string;
  readonly bundle: ScriptBundle;
  readonly kills: number;
  readonly removed?: IngestWorkerOptions['removed'];
  readonly random: Random;
  /** Processes that were started and did not end yet. */
  readonly living: Set<Child>;
}

export const measurement: Measurement = {
  what: 'every acknowledged event is stored once, whoever is killed while receiving or importing',
  aims: {
    lost: '<=0',
    duplicated: '<=0',
    miscounted: '<=0',
    kills: '>=200',
    control_caught: '>=1',
  },
  run: (context) => run(context),
};

async function* run(context: Context) {
  const total: Tally = {
    kills: 0,
    acknowledged: 0,
    repeated: 0,
    lost: 0,
    duplicated: 0,
    miscounted: 0,
  };
  let [unremembered, unwaiting] = [total, total];
  await inFolder(async (folder) => {
    const bundle = await bundleScript(new URL('./parts/ingest-worker.ts', import.meta.url), folder);
    const server = await startPostgres();
    try {
      await makeTemplate(server.url);
      const places = {
        sqlite: join(folder, 'telemetry.db'),
        postgres: server.url.replace('/postgres?', '/hone_template?'),
      };
      const trial = (name: string, more: Pick<Trial, 'place' | 'kills' | 'removed'>) => {
        const files = join(folder, name);
        mkdirSync(files);
        const random = seededRandom(context.seed);
        return attempt({ bundle, folder: files, random, living: new Set(), ...more });
      };
      for (const engine of ['sqlite', 'postgres'] as const) {
        const kills = Math.ceil(KILLS[engine] * context.scale);
        const tally = await trial(engine, { place: places[engine], kills });
        context.progress(`${engine}: ${JSON.stringify(tally)}`);
        for (const figure of Object.keys(total) as (keyof Tally)[]) total[figure] += tally[figure];
      }
      const control = (removed: 'memory' | 'waiting') =>
        trial(removed, { place: join(folder, `${removed}.db`), kills: CONTROL_KILLS, removed });
      unremembered = await control('memory');
      unwaiting = await control('waiting');
    } finally {
      await server.stop();
    }
  });
  yield { metric: 'lost', value: total.lost };
  yield { metric: 'duplicated', value: total.duplicated };
  yield { metric: 'miscounted', value: total.miscounted };
  yield { metric: 'kills', value: total.kills };
  yield { metric: 'acknowledged', value: total.acknowledged, note: 'events and lines' };
  yield { metric: 'repeated', value: total.repeated, note: 'requests sent more than once' };
  const isCaught = unremembered.duplicated > 0 && unwaiting.lost > 0;
  const note = `${unremembered.duplicated} duplicates without memory, ${unwaiting.lost} lost without waiting`;
  yield { metric: 'control_caught', value: isCaught ? 1 : 0, note };
}

async function attempt(trial: Trial): Promise<Tally> {
  await (await openIngestStore(trial.place)).close(); // migrated once
  const urls = new Map<number, string>();
  const senders = new Senders(trial.random, () => [...urls.values()]);
  const sending = Array.from({ length: SENDERS }, () => senders.run(PAUSE_MS));
  const writing = new Writing(trial, senders);
  try {
    const count = { kills: 0 };
    const victims: Victim[] = [
      ...Array.from({ length: RECEIVERS }, (_, name) => ({ role: 'receive', name, urls }) as const),
      { role: 'import', name: RECEIVERS, urls },
    ];
    await Promise.all(victims.map((victim) => keepKilling(trial, count, victim)));
    senders.end();
    writing.end();
    await finish(trial, { urls, sending: Promise.all([...sending, writing.done]) });
    return await inspect(trial.place, { senders, lines: writing.ids, kills: count.kills });
  } finally {
    // Where it ended early: nothing of it goes on.
    senders.abandon();
    writing.end();
    for (const child of trial.living) child.kill();
    await Promise.all([...sending, writing.done]);
  }
}

/** Healthy processes finish what is left. */
async function finish(
  trial: Trial,
  { urls, sending }: { readonly urls: Map<number, string>; readonly sending: Promise<unknown> },
): Promise<void> {
  const { child, said } = await born(trial, { role: 'receive' });
  urls.set(0, said);
  await sending;
  child.kill();
  await child.ended;
  const importer = await born(trial, { role: 'drain' });
  const { code, stderr } = await importer.child.ended;
  if (code !== 0) throw new Error(`not everything was imported: ${stderr}`);
}

/** Lines that agents write to a file meanwhile. */
class Writing {
  readonly ids: string[] = [];
  readonly done: Promise<void>;
  #isEnding = false;

  constructor({ folder }: Trial, senders: Senders) {
    this.done = this.#write(join(folder, 'traces.jsonl'), senders);
  }

  end(): void {
    this.#isEnding = true;
  }

  async #write(file: string, senders: Senders): Promise<void> {
    while (!this.#isEnding) {
      const ids = senders.newIds(LINE_SPANS);
      appendFileSync(file, `${JSON.stringify(request(ids, systemClock.nowMs()))}\n`);
      this.ids.push(...ids);
      await systemClock.sleep(LINES_EVERY_MS);
    }
  }
}

interface Victim {
  readonly role: 'receive' | 'import';
  readonly name: number;
  /** Where those that live receive. */
  readonly urls: Map<number, string>;
}

async function keepKilling(trial: Trial, count: { kills: number }, victim: Victim): Promise<void> {
  const { random } = trial;
  const { role, name, urls } = victim;
  while (count.kills < trial.kills) {
    count.kills += 1;
    // Without memory it is the moment between commit and answer that shows: the control always meets it.
    const isControl = trial.removed === 'memory';
    const isFromInside = isControl || randomInt(random, 2) === 0;
    const commit = 1 + randomInt(random, isControl ? 3 : COMMITS_MAX);
    const isBefore = !isControl && randomInt(random, 3) === 0;
    const dieAt = isFromInside ? { commit, isBefore } : undefined;
    const { child, said } = await born(trial, { role, dieAt });
    if (role === 'receive') urls.set(name, said);
    // One that kills itself may find nothing to commit: it is not waited for without end.
    const lifeMs = isFromInside ? 10 * LIFE_MS_MAX : random.next() * LIFE_MS_MAX;
    await Promise.race([child.ended, systemClock.sleep(lifeMs)]);
    child.kill();
    const { signal, stderr } = await child.ended;
    urls.delete(name);
    if (signal !== 'SIGKILL') throw new Error(`a process ended by itself: ${stderr}`);
  }
}

/** Started, with its first words: where it receives. A process that is killed before it speaks says nothing. */
async function born(
  { bundle, place, folder, removed, living }: Trial,
  more: Pick<IngestWorkerOptions, 'role' | 'dieAt'>,
): Promise<{ readonly child: Child; readonly said: string }> {
  const isReceiver = more.role === 'receive';
  const options: IngestWorkerOptions = {
    ...more,
    place,
    folder,
    removed: isReceiver ? removed : undefined,
  };
  const spoken = Promise.withResolvers<string>();
  const child = start({
    command: process.execPath,
    args: [bundle.file, JSON.stringify(options)],
    env: bundle.env,
    limitMs: PROCESS_MS_MAX,
    output: (line) => spoken.resolve(line),
  });
  living.add(child);
  void child.ended.then(() => living.delete(child));
  const said = await Promise.race([spoken.promise, child.ended.then(({ stderr }) => stderr)]);
  return { child, said };
}

async function inspect(
  place: string,
  given: { readonly senders: Senders; readonly lines: readonly string[]; readonly kills: number },
): Promise<Tally> {
  const store = await openIngestStore(place);
  try {
    const { senders, lines, kills } = given;
    const times = new Map<string, number>();
    for (const row of await store.all('SELECT body FROM observe_events')) {
      const { spanId } = JSON.parse(row['body'] as string) as { spanId: string };
      times.set(spanId, (times.get(spanId) ?? 0) + 1);
    }
    const wanted = [...senders.acknowledged, ...lines];
    return {
      kills,
      acknowledged: wanted.length,
      repeated: senders.repeated,
      lost: wanted.filter((id) => !times.has(id)).length,
      duplicated: [...times.values()].filter((count) => count > 1).length,
      miscounted: await miscounted(store, times),
    };
  } finally {
    await store.close();
  }
}

/** The sums of every unit, and of the sources, against the events that are there. */
async function miscounted(store: Store, times: ReadonlyMap<string, number>): Promise<number> {
  const events = [...times.values()].reduce((total, one) => total + one, 0);
  const sums = await store.all(
    `SELECT CAST(SUM(events) AS BIGINT) AS events FROM observe_rollups GROUP BY unit_ms
     UNION ALL SELECT CAST(SUM(events) AS BIGINT) AS events FROM observe_sources`,
  );
  return sums.reduce((total, row) => total + Math.abs((row['events'] as number) - events), 0);
}
