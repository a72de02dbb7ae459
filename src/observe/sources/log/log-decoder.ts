/**
 * Lines of a log become events. An event waits until the next one begins, because the lines that follow may be its
 * own (a stack trace, a dump); at the end of what there is, it is given (`flush`).
 *
 *   line ─► unwrapped (docker, CRI) ─► a record? ─────────────► the waiting event, then the record's own
 *                                   └► begins an event? yes ──► the waiting event; this one waits
 *                                                       no ───► joined to the waiting event
 */
import { event, refused, sessionOfDay, stemOf } from '../../reading/records.ts';
import { bounded, type Fields, fieldsIn } from '../../reading/values.ts';
import type { Decoded, Decoder, StreamAbout } from '../../types.ts';
import { type AccessLine, accessLine } from './access-line.ts';
import {
  beginsKey,
  continuesByForm,
  hasFormOfMore,
  isException,
  isFull,
  joinedTo,
  levelBySaying,
  type Waiting,
} from './continued.ts';
import { criLine, dockerLine, type Unwrapped } from './envelope.ts';
import { type PlainLine, plainLine } from './plain-line.ts';
import { logfmtOf, recordLine } from './record-line.ts';

export type LogState = {
  readonly waiting: Waiting | null;
  readonly lastMs: number | null;
  /** Whether a line had a time of its own. */
  readonly isTimed: boolean;
  /** By how much the times without a zone were found to be ahead of the file's own time. */
  readonly shiftMinutes: number;
  /** The beginning of a line that came in parts. */
  readonly part: string;
};

const START: LogState = { waiting: null, lastMs: null, isTimed: false, shiftMinutes: 0, part: '' };
const PART_CHARS_MAX = 32_000;
const NO_TIME = refused('The line has no time, nor has one before it or the file.', 'wrong_time');

interface Step {
  readonly records: readonly Decoded[];
  readonly state: LogState;
}

/** With the zone of times that name none, if it is known. */
export function logDecoder(zoneMinutes: number | undefined): Decoder<LogState> {
  return {
    start: START,
    decode: (line, state, about) =>
      new LineReading(state, { about, zoneMinutes }).read(withoutColours(line)),
    flush(state, about) {
      const { waiting } = state;
      if (waiting === null || waiting.isInKey) return { records: [], state };
      return { records: [given(waiting, about)], state: { ...state, waiting: null } };
    },
  };
}

interface Context {
  readonly about: StreamAbout;
  readonly zoneMinutes: number | undefined;
}

class LineReading {
  readonly #state: LogState;
  readonly #about: StreamAbout;
  readonly #agent: string;
  readonly #givenZone: number | undefined;
  /** When the runtime around the program took the line. */
  #envelopeMs: number | undefined;

  constructor(state: LogState, { about, zoneMinutes }: Context) {
    this.#state = state;
    this.#about = about;
    this.#agent = stemOf(about.name);
    this.#givenZone = zoneMinutes;
  }

  read(line: string): Step {
    const record = fieldsIn(line);
    const wrapped = record === undefined ? criLine(line) : dockerLine(record);
    return wrapped === undefined ? this.#line(line, record) : this.#unwrapped(wrapped);
  }

  #unwrapped({ text, atMs, isPart }: Unwrapped): Step {
    const state = this.#state;
    const whole = state.part + text;
    if (isPart && whole.length <= PART_CHARS_MAX)
      return { records: [], state: { ...state, part: whole } };
    if (whole.trim() === '') return { records: [], state: { ...state, part: '' } };
    this.#envelopeMs = atMs;
    const { records, state: next } = this.#line(withoutColours(whole));
    return { records, state: { ...next, part: '' } };
  }

  #line(line: string, parsed = fieldsIn(line)): Step {
    const { modifiedMs } = this.#about;
    const { lastMs } = this.#state;
    const recorded = this.#record(line, parsed);
    if (recorded !== undefined) return recorded;
    const plain = plainLine(line, { modifiedMs, lastMs, zoneMinutes: this.#zoneMinutes });
    if (plain.time === undefined && this.#continues(plain, line)) return this.#joined(line);
    const shift = this.#shift(plain);
    const atMs = this.#time(plain, shift);
    if (atMs === undefined) return { records: [NO_TIME], state: this.#state };
    const next = {
      lastMs: atMs,
      isTimed: this.#state.isTimed || plain.time !== undefined || this.#envelopeMs !== undefined,
      shiftMinutes: this.#state.shiftMinutes + shift,
    };
    const access = plain.time === undefined ? undefined : accessLine(line.slice(plain.time.end));
    if (access !== undefined)
      return this.#after([this.#request(access, atMs)], { ...next, waiting: null });
    return this.#after([], { ...next, waiting: this.#begun(plain, atMs) });
  }

  get #zoneMinutes(): number {
    return this.#givenZone ?? this.#state.shiftMinutes;
  }

  /** JSON or logfmt. A record is complete. */
  #record(line: string, parsed: Fields | undefined): Step | undefined {
    const record = parsed ?? logfmtOf(line);
    if (record === undefined) return undefined;
    // Dumped below an event: it is indented, and has no time of its own.
    if (this.#state.waiting !== null && /^\s/.test(line)) return undefined;
    const read = recordLine(record, {
      agent: this.#agent,
      otherwiseMs: this.#envelopeMs ?? this.#state.lastMs ?? this.#about.modifiedMs ?? undefined,
      zoneMinutes: this.#zoneMinutes,
      sessionAt: (atMs) => sessionOfDay(this.#agent, atMs),
    });
    if (!read?.ok) return undefined;
    return this.#after([read], { waiting: null, lastMs: read.event.atMs, isTimed: true });
  }

  #begun({ level, logger, program, message }: PlainLine, atMs: number): Waiting {
    return {
      atMs,
      level: level ?? null,
      agent: program ?? this.#agent,
      logger: logger ?? null,
      message: bounded(message),
      lines: 1,
      isInKey: beginsKey(message),
    };
  }

  #request({ status, ...call }: AccessLine, atMs: number): Decoded {
    const failed = { errorCode: String(status), errorMessage: `HTTP ${status}` };
    return event<'tool_call'>({
      kind: 'tool_call',
      atMs,
      session: sessionOfDay(this.#agent, atMs),
      agent: this.#agent,
      ...call,
      ...(call.success ? {} : failed),
    });
  }

  /** The waiting event comes first. */
  #after(records: readonly Decoded[], next: Partial<LogState>): Step {
    const { waiting } = this.#state;
    const all = waiting === null ? records : [given(waiting, this.#about), ...records];
    return { records: all, state: { ...this.#state, ...next } };
  }

  #time({ time }: PlainLine, shift: number): number | undefined {
    // A runtime's clock knows its zone; the program's may not.
    if (this.#envelopeMs !== undefined) return this.#envelopeMs;
    if (time !== undefined) return time.atMs - shift * 60_000;
    return this.#state.lastMs ?? this.#about.modifiedMs ?? undefined;
  }

  /**
   * A time without a zone that is later than the file's last write was written east of Greenwich. By how much is
   * seen at the newest lines alone, so the largest difference stays.
   */
  #shift({ time }: PlainLine): number {
    const { modifiedMs } = this.#about;
    if (time === undefined || time.hasZone || this.#givenZone !== undefined) return 0;
    if (modifiedMs === null || this.#envelopeMs !== undefined) return 0;
    // Clocks and file systems differ by some minutes; zones by quarters of an hour.
    const aheadMinutes = (time.atMs - modifiedMs) / 60_000 - 5;
    const shift = Math.max(0, Math.ceil(aheadMinutes / 15) * 15);
    return this.#state.shiftMinutes + shift <= 14 * 60 ? shift : 0;
  }

  /** Whether a line without a time belongs to the event before it. */
  #continues({ level }: PlainLine, line: string): boolean {
    const { waiting, lastMs, isTimed } = this.#state;
    if (this.#envelopeMs !== undefined) return continuesByForm(line, waiting);
    // The event was given already: what still follows of it is passed over.
    if (waiting === null) return lastMs !== null && hasFormOfMore(line);
    if (continuesByForm(line, waiting)) return true;
    // Where lines have times, one without belongs to the line before, unless it says a level of its own.
    return isTimed && level === undefined && !isException(line);
  }

  #joined(line: string): Step {
    const { waiting } = this.#state;
    if (waiting === null) return { records: [], state: this.#state };
    if (isFull(waiting)) return this.#after([], { waiting: null });
    return { records: [], state: { ...this.#state, waiting: joinedTo(waiting, line) } };
  }
}

function given({ atMs, level, agent, logger, message }: Waiting, about: StreamAbout): Decoded {
  return event<'log_line'>({
    kind: 'log_line',
    atMs,
    session: sessionOfDay(stemOf(about.name), atMs),
    agent,
    logger: logger ?? undefined,
    level: level ?? levelBySaying(message),
    message,
  });
}

/** Terminals' colours, which loggers write into files too. */
function withoutColours(line: string): string {
  const plain = line.includes('\u001b[') ? line.replaceAll(COLOUR, '') : line;
  return plain.endsWith('\r') ? plain.slice(0, -1) : plain;
}
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one.
const COLOUR = /\u001b\[[0-9;]{0,20}m/g;
