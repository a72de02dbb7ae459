/** How the story is told: in plain sentences, with commands that really run, as wide as the terminal is. */
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Io } from '../src/cli/io.ts';
import { proseColumns, wrap } from '../src/cli/layout.ts';
import type { JsonlEvent } from '../src/observe/index.ts';
import { chart } from './chart.ts';
import { expectDone, type LabInstallation, type Ran } from './installation.ts';
import type { Scenario } from './scenario.ts';

const HOUR_MS = 3_600_000;

export interface TellerOptions {
  readonly io: Io;
  /** Waits for Enter between the acts when somebody is there. */
  readonly pause: boolean;
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** Beside the bars stand a name and a number. */
function hoursPerColumn(hours: number, columns: number): number {
  const room = proseColumns(columns) - 24;
  return Math.max(1, Math.ceil(hours / Math.max(1, room)));
}

/** Says things, as wide as the terminal is. */
export class Teller {
  readonly #options: TellerOptions;

  constructor(options: TellerOptions) {
    this.#options = options;
  }

  say(text: string): void {
    const { io } = this.#options;
    io.out(wrap(text, io.columns));
  }

  indented(text: string): void {
    const { io } = this.#options;
    io.out(wrap(text, io.columns, '  '));
  }

  title(title: string, story: string): void {
    const { io } = this.#options;
    io.out(`\n${io.style('bold', wrap(title, io.columns))}\n`);
    this.say(story.trim().replace(/\s+/g, ' '));
    io.out('\n');
  }

  /** Whole, however long it is: it is there to be clicked or copied. */
  address(what: string, url: string): void {
    const { io } = this.#options;
    this.say(what);
    io.out(`${url}\n`);
  }

  /** Whether somebody is there to press Enter. */
  get pauses(): boolean {
    return this.#options.pause;
  }

  /** What an agent tried, and what Hone answered. */
  tried(what: string, answer: string): void {
    this.say(what);
    this.indented(answer);
  }

  /** Runs a command for real and shows what it says. */
  async hone(lab: LabInstallation, ...args: string[]): Promise<Ran> {
    const { io } = this.#options;
    io.out(`\n${io.style('bold', `$ hone ${args.join(' ')}`)}\n`);
    const ran = expectDone(await lab.hone(...args));
    io.out(`${ran.out}${ran.err}\n`);
    return ran;
  }

  chart(
    events: readonly JsonlEvent[],
    scenario: Scenario,
    { fromMs, toMs, markMs }: { fromMs: number; toMs: number; markMs?: number },
  ): void {
    const { io } = this.#options;
    const options = { fromMs, toMs, binMs: HOUR_MS, top: 0.3 };
    const hours = hoursPerColumn((toMs - fromMs) / HOUR_MS, io.columns);
    io.out('\n');
    for (const { agent } of scenario.traffic.agents) {
      const binMs = hours * HOUR_MS;
      const { bars, rate } = chart(events, { ...options, binMs, agent });
      io.out(`  ${agent.padEnd(10)} ${bars}${markMs === undefined ? `  ${percent(rate)}` : ''}\n`);
    }
    if (markMs !== undefined) {
      const at = Math.floor((markMs - fromMs) / (hours * HOUR_MS));
      io.out(`  ${' '.repeat(11 + at)}^ deployed\n`);
      const before = chart(events, { ...options, toMs: markMs });
      const after = chart(events, { ...options, fromMs: markMs });
      this.indented(
        `of all calls ${percent(before.rate)} failed before it, ${percent(after.rate)} after; ` +
          `worst hour ${percent(before.worst)} and ${percent(after.worst)}`,
      );
    }
    const each = hours === 1 ? 'one hour' : `${hours} hours`;
    this.indented(`one column is ${each}; full height is 30 % of calls failing`);
    io.out('\n');
  }

  async pause(): Promise<void> {
    const prompt = createInterface({ input: process.stdin, output: process.stdout });
    // On a terminal the prompt gets Ctrl-C, and would only close.
    prompt.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    await Promise.race([prompt.question('Enter goes on. '), once(prompt, 'close')]);
    prompt.close();
  }
}
