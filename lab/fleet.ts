/**
 * A small fleet of agents in virtual time. Their behaviour comes from files of the target, their luck from
 * the seed: the same seed and the same files give the same events, in the order of their time.
 *
 * Windows follow each other; what is under way at the end of one goes on in the next, so any cutting
 * into windows gives the same events. A session keeps the settings it began with.
 */
import assert from 'node:assert/strict';
import type { Window } from '../src/facts/index.ts';
import type { JsonlEvent } from '../src/observe/index.ts';
import { Agenda, type Due } from './agenda.ts';
import type { AgentSettings } from './agent-file.ts';
import { resolveSettings } from './agent-settings.ts';
import { type Run, type Session, sessionsFrom } from './arrivals.ts';
import { asksAgainMs } from './people.ts';
import type { TargetFiles } from './places.ts';
import type { Recording } from './recording.ts';
import type { AgentTraffic, Scenario } from './scenario-schema.ts';
import { SessionPlay } from './session-play.ts';
import { FleetLimits } from './shared-limits.ts';

export type { TargetFiles } from './places.ts';

/** How often the same task is asked for again. */
const AGAIN_MAX = 3;

interface Underway extends Due {
  /** Undefined before it begins. */
  play: SessionPlay | undefined;
  readonly session: Session;
}

export class Fleet {
  readonly #run: Run;
  readonly #limits: FleetLimits;
  readonly #recording: { readonly is: 'written'; readonly of: Recording } | undefined;
  readonly #underway = new Agenda<Underway>();
  readonly #settings = new AgentFiles();
  #arrivals: Generator<Session, void> | undefined;
  #nextSession: Session | undefined;
  #sessions = 0;
  #reachedMs: number | undefined;
  #events: JsonlEvent[] = [];

  constructor({
    scenario,
    seed,
    recording,
  }: {
    readonly scenario: Scenario;
    readonly seed: number;
    readonly recording?: Recording | undefined;
  }) {
    this.#run = { scenario, seed };
    this.#limits = new FleetLimits(scenario.world);
    this.#recording = recording && { is: 'written', of: recording };
  }

  /** The events with a time from `fromMs` to before `toMs`. Each window begins where the last one ended. */
  run({ fromMs, toMs, files }: Window & { readonly files: TargetFiles }): JsonlEvent[] {
    assert(fromMs === (this.#reachedMs ?? fromMs), 'a window begins where the last one ended');
    assert(fromMs <= toMs, 'a window ends after it begins');
    this.#reachedMs = toMs;
    if (this.#arrivals === undefined) {
      this.#arrivals = sessionsFrom(this.#run, fromMs);
      this.#nextSession = this.#arrivals.next().value ?? undefined;
    }
    for (;;) {
      const due = this.#underway.peek();
      const arrival = this.#nextSession;
      if (arrival !== undefined && arrival.startMs <= (due?.dueMs ?? arrival.startMs)) {
        if (arrival.startMs >= toMs) break;
        this.#expect(arrival);
        this.#nextSession = this.#arrivals.next().value ?? undefined;
      } else {
        if (due === undefined || due.dueMs >= toMs) break;
        this.#advance(due, files);
      }
    }
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #expect(session: Session): void {
    const order = this.#sessions++;
    this.#underway.add({ play: undefined, session, dueMs: session.startMs, order });
  }

  #advance(due: Underway, files: TargetFiles): void {
    this.#underway.drop();
    due.play ??= this.#begin(due.session, files);
    const nextMs = due.play.step(due.dueMs);
    if (nextMs === undefined) {
      this.#askAgain(due.play, due.dueMs);
      return;
    }
    due.dueMs = nextMs;
    this.#underway.add(due);
  }

  #begin(session: Session, files: TargetFiles): SessionPlay {
    return new SessionPlay({
      run: this.#run,
      session,
      files,
      settings: this.#settings.read(files, session.traffic),
      limits: this.#limits,
      recording: this.#recording,
      emit: (event) => this.#events.push(event),
    });
  }

  #askAgain({ session, failure }: SessionPlay, nowMs: number): void {
    const afterMs = failure === undefined ? undefined : asksAgainMs(this.#run.seed, session);
    const [id, times = '0'] = session.id.split('~');
    if (afterMs === undefined || Number(times) === AGAIN_MAX) return;
    this.#expect({ ...session, id: `${id}~${Number(times) + 1}`, startMs: nowMs + afterMs });
  }
}

/** Agents' files are read again only when they changed. */
export class AgentFiles {
  readonly #known = new Map<
    string,
    { files: TargetFiles; text: string | undefined; settings: AgentSettings }
  >();

  read(files: TargetFiles, traffic: AgentTraffic): AgentSettings {
    const { agent, file } = traffic;
    const text = file === undefined ? undefined : files.get(file);
    const known = this.#known.get(agent);
    const isSame = file === undefined ? known?.files === files : known?.text === text;
    if (known !== undefined && isSame) return known.settings;
    const settings = resolveSettings(files, traffic);
    this.#known.set(agent, { files, text, settings });
    return settings;
  }
}
