/**
 * The template miner: speed against splitting the same lines on white space, and memory on a stream
 * in which words keep appearing that were never seen before. Lines are made here, from a seed.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Random, randomInt, seededRandom } from '../src/base/index.ts';
import { FORMS_MAX, Miner } from '../src/text/miner/index.ts';
import type { Context, Figure, Measurement } from '../tools/measure.ts';

/** `%n` a number, `%i` an address, `%h` hex, `%p` a path, `%u` a user, `%b` an identifier. */
const SHAPES = [
  'Accepted password for %u from %i port %n ssh2',
  'session opened for user %u by (uid=%n)',
  'Received block %b of size %n from /%i',
  'PacketResponder %n for block %b terminating',
  'BLOCK* NameSystem.addStoredBlock: blockMap updated: %i:%n is added to %b size %n',
  '%i "GET %p HTTP/1.1" status: %n len: %n time: 0.%n',
  'Established session 0x%h with negotiated timeout %n for client /%i:%n',
  'open through proxy proxy%n.example.com:%n HTTPS',
  'acquire lock=%n, flags=0x%h, tag="View Lock", name=com.example.systemui, ws=null, uid=%n, pid=%n',
  'Failed to renew lease for [DFSClient_NONMAPREDUCE_%n_1] for %n seconds.  Will retry shortly ...',
  '{"level":"info","tool":"search","durationMs":%n,"ok":true,"session":"%h"}',
  'tool call timed out after %nms (attempt %n of %n): upstream returned %n for %p',
  'Temperature (%nC) exceeds warning threshold on node-%n',
  'data TLB error interrupt',
  'instruction cache parity error corrected',
  'Reading broadcast variable %n took %n ms',
  'getTodayTotalDetailSteps = %n##%n##%n##%n##%n##%n',
  'connection from %i (host-%n.example.net) at Fri Jun 17 07:07:%n 2005',
];
/** Shapes as words of pieces, each literal or a value. */
const SHAPE_WORDS = SHAPES.map((shape) =>
  shape.split(' ').map((word) => word.split(/(%[nihpub])/).filter((piece) => piece !== '')),
);
const USERS = ['root', 'alice', 'bob', 'carol', 'dave', 'erin', 'www-data', 'git', 'mysql'];
const NEVER_SEEN_SHARE = 0.05;
const SPEED_LINES = 1_000_000;
const CHUNK_LINES = 2_000;
const WARM_UP_CHUNKS = 30;
const MEMORY_LINES = 10_000_000;

export const measurement: Measurement = {
  what: 'the template miner: lines per second, and memory on never-seen words',
  aims: { ratio: '>=0.2', forms_max: `<=${FORMS_MAX}`, heap_growth: '<=32' },
  run,
};

async function* run(context: Context): AsyncGenerator<Figure> {
  yield* speed(context, 'ratio', 0, SPEED_LINES);
  yield* speed(context, 'ratio_never_seen', NEVER_SEEN_SHARE, SPEED_LINES / 5);
  yield* memory(context);
}

/**
 * Both sides take turns in small chunks, so that whatever else the machine does hits both alike.
 * Every string is new to both, since V8 remembers how it split a string.
 */
async function* speed(
  context: Context,
  metric: string,
  share: number,
  lineCount: number,
): AsyncGenerator<Figure> {
  const lines = new LineSource(seededRandom(context.seed), share);
  const miner = new Miner();
  const split = (line: string) => line.split(/\s+/).length;
  const mine = (line: string) => miner.add(line).templateId.length;
  const seconds = { split: 0, mine: 0 };
  const chunks = Math.max(20, Math.round((lineCount / CHUNK_LINES) * context.scale));
  for (let chunk = -WARM_UP_CHUNKS; chunk < chunks; chunk++) {
    const batch = Array.from({ length: CHUNK_LINES }, () => lines.next());
    const again = batch.map(copy);
    const [split_s, mine_s] = [secondsOf(batch, split), secondsOf(again, mine)];
    if (chunk < 0) continue;
    seconds.split += split_s;
    seconds.mine += mine_s;
  }
  const count = chunks * CHUNK_LINES;
  const [measured, floor] = [count / seconds.mine, count / seconds.split];
  yield { metric, value: measured / floor, measured, floor, unit: 'lines/s' };
}

async function* memory(context: Context): AsyncGenerator<Figure> {
  const count = Math.max(20_000, Math.round(MEMORY_LINES * context.scale));
  const lines = new LineSource(seededRandom(context.seed + 1), NEVER_SEEN_SHARE);
  const miner = new Miner();
  const collect = garbageCollector();
  const early = Math.floor(count / 10);
  let formsMax = 0;
  let before = { heap: 0, rss: 0 };
  for (let i = 1; i <= count; i++) {
    miner.add(lines.next());
    if (miner.size > formsMax) formsMax = miner.size;
    if (i === early) before = usage(collect);
    if (i % 1_000_000 === 0) context.progress(`${i} lines, ${miner.size} forms`);
  }
  const after = usage(collect);
  const note = `${count} lines, ${lines.neverSeen} never-seen words`;
  yield {
    metric: 'heap_growth',
    value: after.heap - before.heap,
    unit: 'MB',
    note: 'from a tenth of the lines to all',
  };
  yield {
    metric: 'rss_growth',
    value: after.rss - before.rss,
    unit: 'MB',
    note: 'the same, resident',
  };
  yield { metric: 'heap', value: after.heap, unit: 'MB', note };
  yield { metric: 'forms_max', value: formsMax, unit: 'forms' };
  yield {
    metric: 'templates',
    value: miner.templates().length,
    unit: 'templates',
    note: `${SHAPES.length} shapes`,
  };
  yield { metric: 'forgotten', value: miner.forgotten, unit: 'messages' };
}

class LineSource {
  neverSeen = 0;
  readonly #random: Random;
  readonly #share: number;

  constructor(random: Random, neverSeenShare: number) {
    this.#random = random;
    this.#share = neverSeenShare;
  }

  next(): string {
    let line = '';
    for (const words of SHAPE_WORDS[randomInt(this.#random, SHAPES.length)]!) {
      if (line !== '') line += ' ';
      if (this.#share > 0 && this.#random.next() < this.#share) line += this.#newWord();
      else for (const piece of words) line += piece[0] === '%' ? this.#value(piece) : piece;
    }
    return line;
  }

  #newWord(): string {
    let rest = ++this.neverSeen;
    let word = 'q';
    for (; rest > 0; rest = Math.floor(rest / 26)) word += String.fromCharCode(97 + (rest % 26));
    return word;
  }

  #value(mark: string): string {
    const number = randomInt(this.#random, 1_000_000);
    if (mark === '%i') return `10.${number % 250}.${number % 199}.${number % 97}`;
    if (mark === '%h') return (number * 4_099).toString(16);
    if (mark === '%p') return `/var/lib/app/${number % 50}/file${number}.json`;
    if (mark === '%u') return USERS[number % USERS.length]!;
    if (mark === '%b') return `blk_-${number}${number}`;
    return String(number);
  }
}

function secondsOf(lines: readonly string[], work: (line: string) => number): number {
  let sum = 0;
  const start = process.hrtime.bigint();
  for (const line of lines) sum += work(line);
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  if (sum < 0) throw new Error('unreachable: keeps the work from being optimised away');
  return seconds;
}

function copy(line: string): string {
  return Buffer.from(line, 'latin1').toString('latin1');
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

function usage(collect: () => void): { heap: number; rss: number } {
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed / 2 ** 20, rss: rss / 2 ** 20 };
}
