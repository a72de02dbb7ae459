/**
 * Runs scenarios under strace: once to see which file-system calls they make, and then again and
 * again with one of the calls failed, looking each time at what is left and at what the process said.
 */
import assert from 'node:assert';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkerBundle } from './bundle.ts';
import { inspectFile } from './changes.ts';
import type { Ended } from './child.ts';
import { type Hearing, hear } from './said.ts';
import { type Place, preparePlace, type Scenario } from './scenarios.ts';
import { parseCall, runTraced } from './strace.ts';
import type { Removed } from './worker.ts';

export const FAULTS = { EIO: 'error=EIO', ENOSPC: 'error=ENOSPC', KILL: 'signal=KILL' } as const;
export type Fault = keyof typeof FAULTS;

/** One call of a scenario: the `nth` of its name on the watched files. */
export interface Target {
  readonly scenario: Scenario;
  readonly call: string;
  readonly nth: number;
  readonly file: string;
  /** Lets go of a lock. */
  readonly unlocks: boolean;
  /** How many changes the process had acknowledged before. */
  readonly acknowledged: number;
}

export interface Outcome {
  /** Whether the fault came at the call it was meant for. */
  readonly hit: boolean;
  readonly lost: number;
  readonly violations: readonly string[];
  readonly refused: number;
  /** Refused, but there: the caller was told a no that was a yes. */
  readonly uncertain: number;
}

export class FaultLab {
  readonly #folder: string;
  readonly #bundle: WorkerBundle;
  #runs = 0;

  constructor(folder: string, bundle: WorkerBundle) {
    this.#folder = folder;
    this.#bundle = bundle;
  }

  /** The calls of a scenario's window, as they come when nothing fails. */
  async calls(scenario: Scenario): Promise<Target[]> {
    return this.#inPlace(scenario, async (place, log) => {
      const ended = await this.#trace({ scenario, place, log, strace: ['-P', place.said] });
      if (ended.code !== 0) throw new Error(`${scenario.name} fails by itself: ${ended.stderr}`);
      return enumerate(scenario, readFileSync(log, 'utf8').split('\n'));
    });
  }

  async fail(target: Target, fault: Fault, removed?: Removed): Promise<Outcome> {
    const { scenario, call, nth } = target;
    return this.#inPlace(scenario, async (place, log) => {
      const inject = `inject=${call}:${FAULTS[fault]}:when=${nth}`;
      const strace = ['-e', `trace=${call}`, '-e', inject];
      const ended = await this.#trace({ scenario, place, log, strace, removed });
      const said = hear(ended.lines);
      const found = await inspectFile(place.path, said);
      const manners = fault === 'KILL' ? [] : badManners(ended, said, scenario);
      return {
        hit: wasHit(readFileSync(log, 'utf8').split('\n'), target, fault),
        lost: found.lost.length,
        violations: [...manners, ...found.violations],
        refused: said.refused.size,
        uncertain: said.refused.intersection(found.present).size,
      };
    });
  }

  #trace(of: {
    scenario: Scenario;
    place: Place;
    log: string;
    strace: string[];
    removed?: Removed | undefined;
  }) {
    const { path, said, watched } = of.place;
    const { bursts } = of.scenario;
    const removed = of.removed === undefined ? {} : { removed: of.removed };
    return runTraced({
      strace: ['-y', '-o', of.log, ...watched.flatMap((file) => ['-P', file]), ...of.strace],
      bundle: this.#bundle,
      worker: { path, writer: 'w', bursts, ...removed },
      said,
    });
  }

  async #inPlace<T>(scenario: Scenario, work: (place: Place, log: string) => Promise<T>) {
    const folder = join(this.#folder, `run-${this.#runs++}`);
    try {
      return await work(preparePlace(join(folder, 'home'), scenario), join(folder, 'log'));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

function enumerate(scenario: Scenario, lines: readonly string[]): Target[] {
  const counts = new Map<string, number>();
  const targets: Target[] = [];
  let open = scenario.from === 'start';
  let acknowledged = 0;
  for (const line of lines) {
    const call = parseCall(line);
    if (call === undefined) continue;
    if (call.parameters.includes('/said>')) {
      open ||= call.parameters.includes('"open\\n"');
      if (call.parameters.includes('"ack ')) acknowledged++;
      continue;
    }
    const nth = (counts.get(call.name) ?? 0) + 1;
    counts.set(call.name, nth);
    const file = fileOf(call.parameters);
    const unlocks = call.parameters.includes('F_UNLCK');
    if (open) targets.push({ scenario, call: call.name, nth, file, unlocks, acknowledged });
  }
  if (scenario.name === 'checkpoint') assertCheckpoint(targets);
  return targets;
}

/** The scenario was made for the store's checkpoint size; it must not miss it unnoticed. */
function assertCheckpoint(targets: readonly Target[]): void {
  const copied = targets.find(({ call, file }) => call === 'pwrite64' && file === 'control.db');
  const followed = targets.some(
    ({ call, file, acknowledged }) =>
      call === 'pwrite64' &&
      file.endsWith('-wal') &&
      acknowledged > (copied?.acknowledged ?? 0) + 1,
  );
  assert(copied !== undefined && followed, 'no commit of the scenario checkpoints and is followed');
}

/** The last part of the path that a call names. */
function fileOf(parameters: string): string {
  return /\/([^/>"]*)[>"](?!<)/.exec(parameters.replace(/^AT_FDCWD<[^>]*>/, ''))?.[1] ?? '';
}

function wasHit(lines: readonly string[], { call, file }: Target, fault: Fault): boolean {
  const marks = fault === 'KILL' ? ' = ?' : '(INJECTED)';
  return lines.some((line) => {
    const found = parseCall(line);
    return found?.name === call && line.endsWith(marks) && fileOf(found.parameters) === file;
  });
}

/** A process that goes on after a failed call owes an answer to everybody, in the store's words. */
function badManners(ended: Ended, said: Hearing, { bursts }: Scenario): string[] {
  const crash = ended.stderr
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('strace: '));
  const asked = bursts.reduce((sum, burst) => sum + burst, 0);
  const answered = said.acknowledged.size + said.refused.size;
  return [
    ...(ended.timedOut ? ['the process hung'] : []),
    ...(crash.length > 0 || ended.signal !== null ? [`the process crashed: ${crash[0]}`] : []),
    ...(said.finished ? [] : ['the process ended without a word']),
    ...(said.open && answered !== asked ? [`${asked - answered} changes got no answer`] : []),
  ];
}
