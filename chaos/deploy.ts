/**
 * Processes that deploy a change, bring it to the agents and take it back are killed at every moment of it: after each
 * call of git, the remote or GitHub, around each commit and each hook. Another process then finishes. Every story has one end:
 * one commit and one that takes it back, hooks run for both, and the record says so. For each forge, on both engines,
 * every moment on one of them.
 */
import { join } from 'node:path';
import { seededRandom } from '../src/base/index.ts';
import type { Store } from '../src/store/index.ts';
import { makeTemplate } from '../test/postgres-database.ts';
import { startPostgres } from '../test/postgres-server.ts';
import { bundleScript, type ScriptBundle } from '../tools/bundle-script.ts';
import type { Context, Measurement } from '../tools/measure.ts';
import { atOnce } from './parts/at-once.ts';
import { type Ended, start } from './parts/child.ts';
import { FORGE_NAMES, type ForgeName } from './parts/deploy-places.ts';
import { beginStory, duplicates, wrongIn } from './parts/deploy-story.ts';
import type { WorkerOrder } from './parts/deploy-worker.ts';
import { inFolder } from './parts/folder.ts';
import { openOutboxStore, templateUrl } from './parts/outbox-store.ts';

/** Of each forge on each engine; more than half the moments of a story. */
const KILLS = 40;
const CONTROL_KILLS = 2;
const LIFE_MS_MAX = 120_000;

interface Tally {
  kills: number;
  stories: number;
  violations: number;
  duplicates: number;
}

interface Trial {
  readonly context: Context;
  readonly bundle: ScriptBundle;
  readonly folder: string;
  /** Where the store is. */
  readonly place: string;
  readonly store: Store;
  readonly forge: ForgeName;
  readonly tally: Tally;
}

/** The names of its moments, and how it ended. */
async function runWorker(
  { file, env }: ScriptBundle,
  order: WorkerOrder,
): Promise<Ended & { readonly moments: readonly string[] }> {
  const moments: string[] = [];
  const child = start({
    command: process.execPath,
    args: [file, JSON.stringify(order)],
    env,
    limitMs: LIFE_MS_MAX,
    output: (line) => moments.push(line),
  });
  return { ...(await child.ended), moments };
}

async function playStory(
  trial: Trial,
  killAt?: number,
  removed?: WorkerOrder['removed'],
): Promise<readonly string[]> {
  const { bundle, folder, store, place, forge, tally, context } = trial;
  const name = `${forge}-${store.engine}-${tally.stories++}`;
  const begun = await beginStory(store, join(folder, name), forge);
  await using _ = begun.standIn;
  const { story } = begun;
  const order = { store: place, story, ...(removed === undefined ? {} : { removed }) };
  const found = (what: string) => {
    tally.violations++;
    if (removed === undefined) context.progress(`${name}, killed at ${killAt}: ${what}`);
  };
  if (killAt !== undefined) {
    const { signal, stderr } = await runWorker(bundle, { ...order, killAt });
    if (signal === 'SIGKILL') tally.kills++;
    else found(`it ended before it could be killed: ${stderr}`);
  }
  const { code, stderr, moments } = await runWorker(bundle, order);
  if (code !== 0) found(`the next process did not finish: ${stderr}`);
  for (const wrong of code === 0 ? await wrongIn(store, begun) : []) found(wrong);
  tally.duplicates += duplicates(begun);
  return moments;
}

/** Every other moment, the odd ones on one engine and the even ones on the other; evenly over them if fewer are wanted. */
function spread(count: number, wanted: number, engine: Store['engine']): number[] {
  const first = engine === 'sqlite' ? 1 : 2;
  const all = Array.from({ length: count }, (_, at) => at + 1).filter(
    (at) => (at - first) % 2 === 0,
  );
  const step = Math.max(1, (all.length - 1) / Math.max(1, wanted - 1));
  const chosen = Array.from({ length: Math.min(wanted, all.length) }, (_, at) =>
    Math.round(at * step),
  );
  return [...new Set(chosen)].flatMap((at) => all[at] ?? []);
}

async function killEverywhere(trial: Trial, moments: number, kills: number): Promise<void> {
  const { engine } = trial.store;
  await atOnce(spread(moments, kills, engine).map((killAt) => () => playStory(trial, killAt)));
  trial.context.progress(`${trial.forge} on ${engine}: ${trial.tally.kills} killed so far`);
}

/** Hooks that are recorded before they run: killed between the two, they never do. */
async function control(trial: Trial): Promise<void> {
  const moments = await playStory(trial, undefined, 'record after the run');
  // Undisturbed, the order makes no difference: what is found comes from the kills.
  if (trial.tally.violations > 0) throw new Error('the control fails without being killed');
  const hooks = [...moments.keys()].filter((at) => moments[at] === 'before the hook');
  for (const at of hooks.slice(0, Math.ceil(CONTROL_KILLS * trial.context.scale)))
    await playStory(trial, at + 1, 'record after the run');
}

async function onEngine(
  place: string,
  work: (part: Pick<Trial, 'place' | 'store'>) => Promise<void>,
): Promise<void> {
  const store = await openOutboxStore(place);
  try {
    await work({ place, store });
  } finally {
    await store.close();
  }
}

/** A short look kills once for each, and plays the dear ones on one engine only. */
function forgesOn(engine: Store['engine'], kills: number): readonly ForgeName[] {
  if (kills > 1) return FORGE_NAMES;
  return engine === 'sqlite' ? ['local', 'github'] : ['local', 'remote'];
}

/** Every story has more moments than this; a short look does not count them first. */
const MOMENTS_MIN = 40;

async function killedOnce(trial: Trial): Promise<void> {
  const { seed } = trial.context;
  const random = seededRandom(seed * 1_000_003 + trial.tally.stories);
  await playStory(trial, 1 + Math.floor(random.next() * MOMENTS_MIN));
}

async function measure(
  context: Context,
): Promise<{ kept: Tally; removed: Tally; moments: number }> {
  const none = () => ({ kills: 0, stories: 0, violations: 0, duplicates: 0 });
  // Their folders have names of their own.
  const [kept, removed] = [none(), { ...none(), stories: 10_000 }];
  const moments = new Map<ForgeName, number>();
  await inFolder(async (folder) => {
    const bundle = await bundleScript(new URL('parts/deploy-worker.ts', import.meta.url), folder);
    const server = await startPostgres();
    try {
      await makeTemplate(server.url);
      const kills = Math.max(1, Math.ceil(KILLS * context.scale));
      for (const place of [join(folder, 'control.db'), templateUrl(server.url)]) {
        await onEngine(place, async (part) => {
          const trial = { ...part, context, bundle, folder };
          for (const forge of forgesOn(part.store.engine, kills)) {
            const one = { ...trial, forge, tally: kept };
            if (kills === 1) {
              await killedOnce(one);
              continue;
            }
            // Undisturbed at first, which also shows how many moments there are.
            if (!moments.has(forge)) moments.set(forge, (await playStory(one)).length);
            await killEverywhere(one, moments.get(forge)!, kills);
          }
          if (part.store.engine === 'sqlite')
            await control({ ...trial, forge: 'local', tally: removed });
        });
      }
    } finally {
      await server.stop();
    }
  });
  return { kept, removed, moments: [...moments.values()].reduce((sum, one) => sum + one, 0) };
}

export const measurement: Measurement = {
  what: 'processes killed while they deploy, run hooks and roll back, on all forges and both engines',
  aims: { violations: '<=0', duplicate_prs: '<=0', kills: '>=100', control_caught: '>=1' },
  async *run(context) {
    const { kept, removed, moments } = await measure(context);
    yield { metric: 'violations', value: kept.violations, n: kept.stories };
    yield {
      metric: 'duplicate_prs',
      value: kept.duplicates,
      note: 'more than one branch for a change, or pull request for a branch',
    };
    yield {
      metric: 'kills',
      value: kept.kills,
      ...(moments === 0 ? {} : { note: `${moments} moments in the stories of all forges` }),
    };
    yield {
      metric: 'control_violations',
      value: removed.violations,
      note: 'hooks recorded before they run',
    };
    yield { metric: 'control_caught', value: removed.violations > 0 ? 1 : 0 };
  },
};
