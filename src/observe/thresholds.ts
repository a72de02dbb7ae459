/** Whether telemetry passes a limit that the configuration sets (`observe.triggers`). Reads counts alone. */
import { isoTime } from '../base/index.ts';
import { formatDuration } from '../config/index.ts';
import type { Window } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { Latencies } from './latency-view.ts';
import type { Telemetry } from './telemetry-view.ts';
import { quantile } from './tools-view.ts';
import type { TriggerSettings } from './trigger-settings.ts';
import { coveringSql, coveringValues, DAY_MS } from './units.ts';

export interface Breach {
  readonly name: string;
  readonly urgency: TriggerSettings['urgency'];
  /** One plain sentence with the figures. */
  readonly detail: string;
}

/** What never sent anything is not silent. */
const SEEN_BEFORE_MS = 14 * DAY_MS;

type Place = { readonly agent?: string | undefined; readonly tool?: string | undefined };

export class Thresholds {
  readonly #store: Store;
  readonly #telemetry: Telemetry;

  constructor(store: Store, telemetry: Telemetry) {
    this.#store = store;
    this.#telemetry = telemetry;
  }

  /** Those that are passed at this moment. */
  async passed(triggers: readonly TriggerSettings[], nowMs: number): Promise<Breach[]> {
    const breaches: Breach[] = [];
    for (const trigger of triggers) {
      const window = { fromMs: nowMs - trigger.within, toMs: nowMs };
      const detail = await this.#detail(trigger, window);
      if (detail === undefined) continue;
      breaches.push({ name: trigger.name, urgency: trigger.urgency, detail });
    }
    return breaches;
  }

  #detail(trigger: TriggerSettings, window: Window): Promise<string | undefined> {
    switch (trigger.when) {
      case 'rate':
        return this.#rate(trigger, window);
      case 'count':
        return this.#count(trigger, window);
      case 'percentile':
        return this.#percentile(trigger, window);
      case 'absence':
        return this.#absence(trigger, window);
    }
  }

  async #rate(
    { of, agent, above, least, within }: Of<'rate'>,
    window: Window,
  ): Promise<string | undefined> {
    const scope = agent === undefined ? {} : { agent };
    const bins = await this.#telemetry.rates(of, window, scope);
    const all = bins.reduce((sum, bin) => sum + bin.all, 0);
    const bad = bins.reduce((sum, bin) => sum + bin.bad, 0);
    if (all < least || bad <= above * all) return undefined;
    const share = `${of} ${placeWords({ agent })} is ${percent(bad / all)} (${bad} of ${all})`;
    return `${share} in the last ${formatDuration(within)}; the limit is ${percent(above)}.`;
  }

  async #count(trigger: Of<'count'>, window: Window): Promise<string | undefined> {
    const { failed } = await this.#sums(trigger, window);
    if (failed <= trigger.above) return undefined;
    const what = `${failed} failures ${placeWords(trigger)}`;
    return `${what} in the last ${formatDuration(trigger.within)}; the limit is ${trigger.above}.`;
  }

  /** Latencies are counted by the hour, so the window begins at a whole one. */
  async #percentile(trigger: Of<'percentile'>, window: Window): Promise<string | undefined> {
    const { percentile, above, least } = trigger;
    const series = await this.#series(trigger);
    const view = (await Latencies.read(this.#store, window)).of(series);
    if (view === null || view.count < least) return undefined;
    const atMs = quantile(view, percentile / 100);
    if (atMs <= above) return undefined;
    const what = `The latency ${placeWords(trigger)} is ${formatDuration(Math.round(atMs))} at the ${percentile}th percentile`;
    return `${what} of ${view.count} calls; the limit is ${formatDuration(above)}.`;
  }

  async #absence(trigger: Of<'absence'>, window: Window): Promise<string | undefined> {
    const now = await this.#sums(trigger, window);
    if (now.events > 0) return undefined;
    const before = { fromMs: window.fromMs - SEEN_BEFORE_MS, toMs: window.fromMs };
    const { lastAtMs } = await this.#sums(trigger, before);
    if (lastAtMs === null) return undefined;
    const since = isoTime(lastAtMs).slice(0, 16).replace('T', ' ');
    return `Nothing ${placeWords(trigger)} was seen for ${formatDuration(trigger.within)}; the last event is of ${since} UTC.`;
  }

  async #sums({ agent, tool }: Place, window: Window) {
    const [row] = await this.#store.all(
      `SELECT CAST(SUM(r.events) AS BIGINT) AS events,
              CAST(SUM(CASE WHEN s.ok = 0 THEN r.events ELSE 0 END) AS BIGINT) AS failed,
              MAX(r.last_at_ms) AS last_at_ms
       FROM (${COVERED}) AS r JOIN observe_series s ON s.id = r.series
       WHERE s.type <> 'aside' ${agent === undefined ? '' : 'AND s.agent = ?'}
         ${tool === undefined ? '' : 'AND s.tool = ?'}`,
      [...coveringValues(window), ...[agent, tool].filter((one) => one !== undefined)],
    );
    return {
      events: (row?.['events'] as number | null) ?? 0,
      failed: (row?.['failed'] as number | null) ?? 0,
      lastAtMs: (row?.['last_at_ms'] as number | null) ?? null,
    };
  }

  async #series({ agent, tool }: Place): Promise<number[]> {
    const rows = await this.#store.all(
      `SELECT id FROM observe_series WHERE type = 'tool_call'
         ${agent === undefined ? '' : 'AND agent = ?'} ${tool === undefined ? '' : 'AND tool = ?'}`,
      [agent, tool].filter((one) => one !== undefined),
    );
    return rows.map((row) => row['id'] as number);
  }
}

const COVERED = coveringSql('series, events, last_at_ms');

type Of<W extends TriggerSettings['when']> = Extract<TriggerSettings, { when: W }>;

function placeWords({ agent, tool }: Place): string {
  if (agent === undefined && tool === undefined) return 'of all agents';
  if (tool === undefined) return `of ${agent}`;
  return agent === undefined ? `of ${tool}` : `of ${tool} of ${agent}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
