/**
 * One batch of records as one plan: events, counts, templates, records set aside, and where to read on, together
 * with the expectation that no other batch came in between. So nothing is counted twice or lost, whoever else
 * collects and wherever it is killed.
 */
import { nextTurn } from '../base/index.ts';
import type { Event } from '../facts/index.ts';
import { maskKeyLine, type Replaced } from '../sanitise/index.ts';
import type { Plan, Write } from '../store/index.ts';
import type { Miner } from '../text/index.ts';
import { activeSession } from './anonymous.ts';
import { type OutOfBounds, outOfBounds } from './check-event.ts';
import { addReplaced, type Cleaner, shortened } from './clean-event.ts';
import { asideFacts, factsOf } from './event-facts.ts';
import { EventRows } from './event-rows.ts';
import { saveMiner, templateOf } from './miner-store.ts';
import { faded, isBurden, isKept, keptShare, observedMs } from './overhead.ts';
import { writePosition } from './position-store.ts';
import type { SessionKey } from './session-key.ts';
import { numberIn, planSource, type SourceState } from './source-state.ts';
import { Tally } from './tally.ts';
import type { CleanEvent, SourceRecord, StreamPosition } from './types.ts';

/** For each source the newest records set aside are kept for people to read; all of them are counted. */
export const ASIDE_KEPT_MAX = 2000;
const ASIDE_TEXT_MAX = 2000;
const DETAIL_MAX = 500;
/** Some 10 ms of work. */
const RECORDS_PER_TURN = 1000;

interface Aside {
  readonly reason: string;
  readonly detail: string;
  readonly text: string;
  readonly offset: number;
  readonly line: number | null;
}

export interface BatchInput {
  /** The stream's name for people, sanitised. */
  readonly stream: string;
  readonly records: readonly SourceRecord[];
  /** The position after the records. */
  readonly position: StreamPosition;
  readonly nowMs: number;
  readonly sessionKey: SessionKey;
  /** What the source's last batch of many records cost. */
  readonly costMs: number;
  /** The largest share that observing may cost of what is observed. */
  readonly overheadMax: number;
}

export interface PlannedBatch {
  readonly plan: Plan;
  /** The source's state once the plan is committed. */
  readonly state: SourceState;
  /** All that were counted. */
  readonly events: number;
  readonly aside: number;
  readonly replaced: Replaced;
  /** Of those set aside, how many the sanitiser failed on. */
  readonly notSanitised: number;
}

export class Batch {
  readonly #cleaner: Cleaner;
  readonly #state: SourceState;
  readonly #miner: Miner;
  readonly #input: BatchInput;
  readonly #events: EventRows;
  readonly #aside: Aside[] = [];
  readonly #tally = new Tally();
  #newestMs = -1;
  #folded = 0;
  #sampled = 0;
  #observedMs = 0;
  readonly #isBurden: boolean;
  readonly #keptShare: number;
  /** Whether a line of a private key came right before. At the start nobody knows, so it is assumed. */
  #isAfterKey = true;
  readonly #replaced: Replaced = {};

  constructor(cleaner: Cleaner, state: SourceState, input: BatchInput) {
    this.#cleaner = cleaner;
    this.#state = state;
    this.#miner = state.kept.miner;
    this.#input = input;
    this.#events = new EventRows(state);
    this.#isBurden = isBurden(input.records.length);
    this.#keptShare = this.#isBurden ? keptShare(state.overhead, input.overheadMax) : 1;
  }

  /** In turns of the event loop, so that others get theirs. */
  async plan(): Promise<PlannedBatch> {
    const { records } = this.#input;
    for (let at = 0; at < records.length; at += RECORDS_PER_TURN) {
      if (at > 0) await nextTurn();
      this.#takeAll(records.slice(at, at + RECORDS_PER_TURN));
    }
    return this.#planned();
  }

  #takeAll(records: readonly SourceRecord[]): void {
    for (const record of records) this.#take(record);
  }

  #planned(): PlannedBatch {
    const before = this.#state;
    const { position, nowMs } = this.#input;
    const { source } = before;
    const newSeries = before.book.takeNew(source, nowMs);
    const state = this.#stateBehind();
    const { expect, write } = planSource(before, state, nowMs);
    return {
      plan: {
        expect: [expect],
        writes: [
          write,
          ...writePosition(source, position, state.batch),
          newSeries,
          ...this.#events.writes(),
          ...this.#aside.flatMap((one, at) => this.#writeAside(one, at)),
          ...this.#tally.writes(),
          ...saveMiner(before.kept, state.batch),
        ],
      },
      state,
      events: this.#events.count + this.#sampled,
      aside: this.#aside.length,
      replaced: this.#replaced,
      notSanitised: this.#aside.filter(({ reason }) => reason === 'not_sanitised').length,
    };
  }

  #stateBehind(): SourceState {
    const { batch, events, book, aside, folded, sampled, overhead, lastEventMs } = this.#state;
    const more = { costMs: this.#input.costMs, observedMs: this.#observedMs };
    const newest = this.#newestMs;
    return {
      ...this.#state,
      batch: batch + 1,
      events: events + this.#events.count,
      series: book.size,
      aside: aside + this.#aside.length,
      folded: folded + this.#folded,
      sampled: sampled + this.#sampled,
      overhead: this.#isBurden ? faded(overhead, more) : overhead,
      lastEventMs: newest < 0 ? lastEventMs : Math.max(newest, lastEventMs ?? 0),
    };
  }

  #take(record: SourceRecord): void {
    const refused = record.ok ? outOfBounds(record.event, this.#input.nowMs) : record;
    if (refused !== undefined) {
      this.#setAside(record, refused);
      return;
    }
    const cleaned = record.ok ? this.#cleaned(record.event) : undefined;
    if (cleaned === undefined) {
      this.#keepOnlyReason(record);
      return;
    }
    this.#isAfterKey = false;
    const { event, replaced } = cleaned;
    if (replaced !== undefined) addReplaced(this.#replaced, replaced);
    this.#count(event);
  }

  #count(event: CleanEvent): void {
    const facts = factsOf(event);
    const { book } = this.#state;
    if (facts.message !== '')
      facts.template = templateOf(this.#miner, facts.message, book.takesTemplates);
    const { series, isFolded } = book.of(facts);
    if (isFolded) this.#folded += 1;
    this.#observedMs += observedMs(event);
    if (facts.ok === 0 || isKept(event, this.#keptShare)) this.#events.add(event, series);
    else this.#sampled += 1;
    this.#tally.count(series, event.atMs, facts);
    const session = activeSession(this.#state.source, event.session);
    this.#tally.note(session, event.atMs, facts.activity, series.dimensions.agent);
    if (event.atMs > this.#newestMs) this.#newestMs = event.atMs;
  }

  /** Undefined when the sanitiser failed. */
  #cleaned(event: Event): ReturnType<Cleaner['event']> | undefined {
    try {
      return this.#cleaner.event(event, this.#input.sessionKey);
    } catch {
      return undefined;
    }
  }

  #setAside(record: SourceRecord, { reason, detail }: OutOfBounds): void {
    try {
      const isTorn = reason === 'too_long';
      // A key that was written over several lines is set aside line by line.
      const hidden = maskKeyLine(
        isTorn ? withoutTornEnd(record.text) : record.text,
        this.#isAfterKey,
      );
      const text = this.#cleaner.text(hidden.text);
      const why = this.#cleaner.text(detail);
      this.#addAside(record, { reason, detail: why.text, text: text.text });
      addReplaced(this.#replaced, text.replaced);
      if (hidden.count > 0) addReplaced(this.#replaced, { private_key: hidden.count });
      this.#isAfterKey = hidden.count > 0 || text.replaced.private_key !== undefined;
    } catch {
      this.#keepOnlyReason(record);
    }
  }

  /** The text of a record that could not be sanitised is not kept; its arrival and place are. */
  #keepOnlyReason(record: SourceRecord): void {
    const detail = 'The sanitiser failed on it, so its text was not kept.';
    this.#addAside(record, { reason: 'not_sanitised', detail, text: '' });
  }

  #addAside(
    { offset, line }: SourceRecord,
    { reason, detail, text }: Pick<Aside, 'reason' | 'detail' | 'text'>,
  ): void {
    const facts = asideFacts(reason);
    this.#tally.count(this.#state.book.of(facts).series, this.#input.nowMs, facts);
    this.#aside.push({
      reason,
      detail: shortened(detail, DETAIL_MAX),
      text: shortened(text, ASIDE_TEXT_MAX),
      offset,
      line,
    });
  }

  #writeAside(one: Aside, at: number): Write[] {
    const { reason, detail, text, offset, line } = one;
    const { source, aside } = this.#state;
    const { stream: file } = this.#input;
    const nth = aside + at + 1;
    const idOf = (one: number) => numberIn(this.#state, one);
    const row = { reason, detail, text, source, file, byte_offset: offset, line };
    const old = { delete: 'observe_aside', where: { id: idOf(nth - ASIDE_KEPT_MAX) } };
    return [
      { insert: 'observe_aside', row: { id: idOf(nth), seen_at_ms: this.#input.nowMs, ...row } },
      ...(nth > ASIDE_KEPT_MAX ? [old] : []),
    ];
  }
}

/** Half a secret may no longer look like one, so a secret that was cut in two is removed. */
function withoutTornEnd(text: string): string {
  let end = text.length;
  while (end > 0 && !/[\s",;{}]/.test(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}
