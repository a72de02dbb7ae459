/**
 * Runs measurements: one file per measurement in `bench/`, `score/` or `chaos/`, each exporting
 * `measurement`. With `--json` every figure is one JSON object per line on standard output; without
 * it people get a table. Progress goes to standard error. A figure is what was measured on the spot.
 */
import { existsSync, readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { errorMessage } from '../src/base/index.ts';

export type Kind = 'bench' | 'score' | 'chaos';

/** One printed line. `value` is what an aim judges; everything else is there to be checked. */
export interface Figure {
  readonly metric: string;
  readonly value: number;
  /** bench: the raw figures behind the ratio. */
  readonly measured?: number;
  readonly floor?: number;
  readonly unit?: string;
  /** score: which part of the data (`total` for all of it) and how many items. */
  readonly set?: string;
  readonly n?: number;
  /** A count or raw figure that no aim judges still says what it is. */
  readonly note?: string;
}

export interface Context {
  /** Where labelled data lies: `--data`, else that folder in `HONE_DATA`, else in `../shared/data`. */
  dataDir(folder: string): string;
  /** Multiplies counts and sizes; 1 is the full measurement, tests use less. */
  readonly scale: number;
  readonly seed: number;
  progress(message: string): void;
}

export interface Measurement {
  readonly what: string;
  /** Metric name to aim, such as `<=1.2`. Metrics without an aim need no entry. */
  readonly aims: Readonly<Record<string, string>>;
  run(context: Context): AsyncIterable<Figure>;
}

export function meetsAim(value: number, aim: string): boolean {
  const bound = Number(aim.slice(2));
  return aim.startsWith('<=') ? value <= bound : value >= bound;
}

export function makeContext(options: {
  data?: string;
  scale?: number;
  seed?: number;
  quiet?: boolean;
}): Context {
  return {
    dataDir: (folder) => dataFolder(options.data, folder),
    scale: options.scale ?? 1,
    seed: options.seed ?? 1,
    progress: (message) => {
      if (options.quiet !== true) process.stderr.write(`  ${message}\n`);
    },
  };
}

/** The folder given, or the one of that name in it: both are natural to type. */
function dataFolder(given: string | undefined, folder: string): string {
  const root = given ?? process.env['HONE_DATA'] ?? '../shared/data';
  const inside = `${root}/${folder}`;
  return given === undefined || existsSync(inside) ? inside : root;
}

const USAGE = (kind: Kind, names: readonly string[]) =>
  `Usage: npm run -s ${kind} -- <name>... [--data <dir>] [--scale <0..1>] [--seed <n>] [--json]\n` +
  `Names: ${names.join(', ')}; "all" runs each.\n`;

/**
 * The body of `npm run bench|score|chaos`. Chaos exits 1 on a violation or a control that caught
 * nothing; how much was tried is judged at full scale only. What cannot be measured here exits 4.
 */
export async function main(kind: Kind, folder: URL): Promise<void> {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && file !== 'run.ts' && !file.includes('.test'))
    .map((file) => file.slice(0, -3))
    .sort();
  const given = readArguments();
  if (typeof given === 'string') {
    process.stderr.write(`${given}\n${USAGE(kind, names)}`);
    process.exitCode = 2;
    return;
  }
  const { values, positionals } = given;
  if (values.help) {
    process.stdout.write(USAGE(kind, names));
    return;
  }
  const wanted = positionals.includes('all') ? names : positionals;
  const unknown = wanted.filter((name) => !names.includes(name));
  const scale = Number(values.scale);
  const seed = Number(values.seed);
  if (
    wanted.length === 0 ||
    unknown.length > 0 ||
    !(scale > 0 && scale <= 1) ||
    !Number.isSafeInteger(seed)
  ) {
    if (unknown.length > 0) process.stderr.write(`Unknown ${kind}: ${unknown.join(', ')}.\n`);
    process.stderr.write(USAGE(kind, names));
    process.exitCode = 2;
    return;
  }
  for (const name of wanted) {
    try {
      await runOne(kind, name, new URL(`${name}.ts`, folder), { ...values, scale, seed });
    } catch (error) {
      process.stderr.write(`${kind} ${name}: ${error instanceof Error ? error.message : error}\n`);
      process.exitCode = 4;
    }
  }
}

/** What is wrong with them, where they cannot be read. */
function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        data: { type: 'string' },
        scale: { type: 'string', default: '1' },
        seed: { type: 'string', default: '1' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return errorMessage(error);
  }
}

interface RunOptions {
  readonly json: boolean;
  readonly data?: string | undefined;
  readonly scale: number;
  readonly seed: number;
}

async function runOne(kind: Kind, name: string, file: URL, options: RunOptions): Promise<void> {
  const { measurement } = (await import(file.href)) as { measurement: Measurement };
  const { json, data, scale, seed } = options;
  const context = makeContext({ scale, seed, ...(data === undefined ? {} : { data }) });
  if (!json) process.stdout.write(`${kind} ${name}: ${measurement.what}\n`);
  for await (const figure of measurement.run(context)) {
    const line = json
      ? `${JSON.stringify({ [kind]: name, ...figure })}\n`
      : row(figure, measurement);
    process.stdout.write(line);
    if (kind === 'chaos' && isViolation(figure, measurement, scale)) process.exitCode = 1;
  }
}

function isViolation(figure: Figure, { aims }: Measurement, scale: number): boolean {
  const aim = aims[figure.metric];
  const total = figure.set === undefined || figure.set === 'total';
  if (aim === undefined || !total || meetsAim(figure.value, aim)) return false;
  return scale === 1 || aim.startsWith('<=') || figure.metric === 'control_caught';
}

function row(figure: Figure, measurement: Measurement): string {
  const aim = measurement.aims[figure.metric];
  const total = figure.set === undefined || figure.set === 'total';
  const verdict =
    aim === undefined || !total ? '' : `${aim} ${meetsAim(figure.value, aim) ? 'met' : 'MISSED'}`;
  const name = figure.set === undefined ? figure.metric : `${figure.set} ${figure.metric}`;
  const raw =
    figure.measured === undefined || figure.floor === undefined
      ? (figure.unit ?? '')
      : `${short(figure.measured)} / ${short(figure.floor)} ${figure.unit ?? ''}`;
  return (
    `  ${name.padEnd(34)} ${short(figure.value).padStart(10)}  ${verdict.padEnd(14)} ${raw} ${figure.note ?? ''}`.trimEnd() +
    '\n'
  );
}

function short(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(4);
}
