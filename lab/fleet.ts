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
import { type AgentSettings, readAgentFile } from './agent-file.ts';
import { type Run, type Session, sessionsFrom } from './arrivals.ts';
import type { AgentTraffic, Scenario } from './scenario-schema.ts';
import { SessionPlay, type Slots } from './session-play.ts';

export type TargetFiles = ReadonlyMap<string, string>;

interface Underway extends Due {
  readonly play: SessionPlay;
}

export class Fleet {
  readonly #run: Run;
  readonly #slots: Slots;
  readonly #underway = new Agenda<Underway>();
  readonly #settings = new AgentFiles();
  #arrivals: Generator<Session, void> | undefined;
  #nextSession: Session | undefined;
  #sessions = 0;
  #reachedMs: number | undefined;
  #events: JsonlEvent[] = [];

  constructor({ scenario, seed }: { readonly scenario: Scenario; readonly seed: number }) {
    this.#run = { scenario, seed };
    this.#slots = sharedSlots(scenario);
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
        this.#begin(arrival, files);
      } else {
        if (due === undefined || due.dueMs >= toMs) break;
        this.#advance(due);
      }
    }
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #begin(session: Session, files: TargetFiles): void {
    const play = new SessionPlay({
      run: this.#run,
      session,
      settings: this.#settings.read(files, session.traffic),
      slots: this.#slots,
      emit: (event) => this.#events.push(event),
    });
    this.#underway.add({ play, dueMs: session.startMs, order: this.#sessions++ });
    this.#nextSession = this.#arrivals!.next().value ?? undefined;
  }

  #advance(due: Underway): void {
    this.#underway.drop();
    const nextMs = due.play.step(due.dueMs);
    if (nextMs === undefined) return;
    due.dueMs = nextMs;
    this.#underway.add(due);
  }
}

/** Agents' files are read again only when their text changed. */
export class AgentFiles {
  readonly #known = new Map<string, { text: string | undefined; settings: AgentSettings }>();

  read(files: TargetFiles, { agent, file }: AgentTraffic): AgentSettings {
    const text = files.get(file);
    const known = this.#known.get(agent);
    if (known !== undefined && known.text === text) return known.settings;
    const settings = readAgentFile(text, { agent, path: file });
    this.#known.set(agent, { text, settings });
    return settings;
  }
}

/** The tools' slots, shared by the whole fleet. */
function sharedSlots({ world }: Scenario): Slots {
  const taken = new Map<string, number>();
  return {
    take(tool) {
      const { capacity } = world.tools[tool]!;
      const before = taken.get(tool) ?? 0;
      if (before === capacity) return undefined;
      taken.set(tool, before + 1);
      return before / capacity;
    },
    release(tool) {
      taken.set(tool, taken.get(tool)! - 1);
    },
  };
}
