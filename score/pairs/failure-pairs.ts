/**
 * Makes labelled pairs from the failure families. Same: one pattern filled twice, with other names,
 * paths, hosts, numbers, wrappers, letter case, quotes, order of pairs, stack lines. Different: two
 * patterns of one family filled alike (hard), or of two families (easy). The same seed gives the same
 * pairs on every machine.
 */
import { type Random, randomInt, seededRandom } from '../../src/base/index.ts';
import type { Failure } from '../../src/text/similarity/index.ts';
import { DEVELOPED_FAMILIES } from './developed-families.ts';
import { type Family, type Pattern, patternsOf } from './family.ts';
import { HELD_OUT_FAMILIES } from './held-out-families.ts';

export interface FailurePair {
  readonly a: Failure | string;
  readonly b: Failure | string;
  readonly same: boolean;
  readonly family: string;
  readonly half: 'dev' | 'held';
}

const WORDS =
  'alpha billing cart delta echo falcon grove harbor indigo juniper kestrel lumen maple nimbus onyx pepper quartz raven sable tundra umber vortex willow yonder zephyr invoices orders customers sessions payments reports'.split(
    ' ',
  );
const NAMES =
  'alice bob carol dave erin frank grace heidi ivan judy mallory niaj olivia peggy rupert sybil trent victor walter'.split(
    ' ',
  );
const VERBS = 'get list make sync build parse score rank plan check render convert'.split(' ');

type Fill = (random: Random) => string;
const pick = (random: Random, list: readonly string[]) => list[randomInt(random, list.length)]!;
const word: Fill = (random) => pick(random, WORDS);
const hex = (random: Random, length: number) =>
  Array.from({ length }, () => '0123456789abcdef'[randomInt(random, 16)]).join('');
const camel: Fill = (random) => pick(random, VERBS) + capital(word(random));
const snake: Fill = (random) => `${pick(random, VERBS)}_${word(random)}`;

const FILLS: Readonly<Record<string, Fill>> = {
  host: (r) =>
    `${word(r)}-${randomInt(r, 30)}.${pick(r, ['internal', 'example.com', 'svc.cluster.local', 'corp.net'])}`,
  ip: (r) => [10, randomInt(r, 256), randomInt(r, 256), randomInt(r, 256)].join('.'),
  port: (r) => String(1024 + randomInt(r, 60_000)),
  path: (r) =>
    `/${pick(r, ['home', 'srv', 'var/lib', 'workspace', 'tmp'])}/${pick(r, NAMES)}/${word(r)}/${word(r)}.${pick(r, ['json', 'txt', 'ts', 'py', 'yaml', 'md'])}`,
  dir: (r) => `/${pick(r, ['opt', 'srv', 'repo'])}/${word(r)}/${word(r)}`,
  file: (r) => `src/${word(r)}/${word(r)}.${pick(r, ['ts', 'rs', 'tsx'])}`,
  user: (r) => pick(r, NAMES),
  group: (r) => `${word(r)}-admins`,
  id: (r) => `${pick(r, ['req', 'org', 'i', 'c'])}_${hex(r, 10)}`,
  uuid: (r) => `${hex(r, 8)}-${hex(r, 4)}-${hex(r, 4)}-${hex(r, 4)}-${hex(r, 12)}`,
  num: (r) => String(randomInt(r, 10 ** (1 + randomInt(r, 5)))),
  ms: (r) => String(1000 * (1 + randomInt(r, 90))),
  s: (r) => String(1 + randomInt(r, 300)),
  size: (r) => `${1 + randomInt(r, 900)}${pick(r, ['MB', 'GB', 'KB', 'MiB'])}`,
  url: (r) =>
    `https://${pick(r, ['api', 'cdn', 'data'])}.${word(r)}.example/${word(r)}/${randomInt(r, 999)}`,
  mime: (r) => pick(r, ['text/html', 'application/xml', 'image/png']),
  tool: (r) =>
    pick(r, [
      'web_search',
      'read_file',
      'run_tests',
      'send_mail',
      'fetch_page',
      'query_db',
      snake(r),
    ]),
  agent: (r) => pick(r, ['planner', 'researcher', 'coder', 'triage', `${word(r)}-agent`]),
  model: (r) =>
    pick(r, ['gpt-4o', 'claude-sonnet-4', 'gemini-2.5-pro', 'llama-3-70b', `${word(r)}-7b`]),
  service: (r) => pick(r, [word(r), `${word(r)}-service`, `${word(r)}-api`]),
  table: word,
  column: (r) => `${word(r)}_${pick(r, ['id', 'name', 'total'])}`,
  field: (r) => pick(r, [word(r), camel(r), snake(r)]),
  func: camel,
  var: (r) => pick(r, [camel(r), snake(r)]),
  module: (r) =>
    pick(r, [`${word(r)}-${word(r)}`, `${word(r)}_${word(r)}`, `./${word(r)}/${word(r)}`]),
  pkg: (r) => pick(r, [word(r), `@${word(r)}/${word(r)}`]),
  version: (r) => [randomInt(r, 20), randomInt(r, 30), randomInt(r, 9)].join('.'),
  branch: (r) => `${pick(r, ['feature', 'fix', 'release'])}/${word(r)}-${randomInt(r, 999)}`,
  cmd: (r) => pick(r, ['make', 'pytest', 'cargo', word(r), `${word(r)}-cli`]),
  flag: (r) => `--${word(r)}`,
  regex: (r) => `^[a-z]{${1 + randomInt(r, 8)},}$`,
  selector: (r) => pick(r, [`#${word(r)}`, `.${word(r)}-${word(r)}`, `button[name=${word(r)}]`]),
  queue: (r) => `${word(r)}-${pick(r, ['events', 'jobs', 'archive', 'eu'])}`,
  region: (r) => pick(r, ['eu-west-1', 'us-east-2', 'ap-south-1']),
  action: (r) => `${pick(r, ['s3', 'ec2', 'iam'])}:${capital(camel(r))}`,
  key: (r) => `sk-${hex(r, 12)}`,
  class: (r) => `com.${word(r)}.${capital(word(r))}${pick(r, ['Service', 'Factory', 'Mapper'])}`,
  name: (r) => pick(r, [word(r), `${word(r)}-${word(r)}`]),
  char: (r) => pick(r, ['<', '}', ',', 'o', ']']),
};

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Names already drawn, by slot and place; two failures that share it share their names. */
type Names = Map<string, string>;

function fill(template: string, random: Random, names: Names): string {
  const seen = new Map<string, number>();
  return template.replace(/\{([a-z]+)\}/g, (whole, slot: string) => {
    const make = FILLS[slot];
    if (make === undefined) return whole;
    const place = seen.get(slot) ?? 0;
    seen.set(slot, place + 1);
    const key = `${slot} ${place}`;
    const known = names.get(key) ?? make(random);
    names.set(key, known);
    return known;
  });
}

/** A message with every hole filled. */
export function fillMessage(template: string, random: Random): string {
  return fill(template, random, new Map());
}

const STACKS: Readonly<Record<NonNullable<Pattern['stack']>, (random: Random) => string[]>> = {
  js: (r) =>
    ['connectAll', 'Object.runTask', 'process.processTicksAndRejections'].map(
      (name) =>
        `    at ${name} (/app/${word(r)}/dist/index.js:${randomInt(r, 900)}:${randomInt(r, 80)})`,
    ),
  py: (r) =>
    ['main', 'run_step', 'call'].map(
      (name) => `  File "/usr/lib/${word(r)}/worker.py", line ${randomInt(r, 900)}, in ${name}`,
    ),
  java: (r) =>
    ['run', 'handle', 'invoke'].map(
      (name) => `\tat com.acme.Worker.${name}(Worker.java:${randomInt(r, 900)})`,
    ),
  go: (r) => [`main.run(0x${hex(r, 8)})`, `\t/src/main.go:${randomInt(r, 900)} +0x${hex(r, 3)}`],
  rust: (r) => [`   0: core::panicking::panic`, `   ${1 + randomInt(r, 3)}: worker::run::main`],
};

const WRAPPERS: readonly Fill[] = [
  () => '',
  () => '',
  (r) =>
    `2026-0${1 + randomInt(r, 9)}-1${randomInt(r, 9)}T0${randomInt(r, 9)}:1${randomInt(r, 9)}:22.${randomInt(r, 999)}Z ERROR `,
  (r) => `[ERROR] [worker-${randomInt(r, 9)}] `,
  () => 'Error: ',
  (r) => `WARN ${word(r)}: `,
];

function render(
  pattern: Pattern,
  random: Random,
  changed: boolean,
  names: Names = new Map(),
): Failure | string {
  let message = fill(pattern.message, random, names);
  if (changed) message = change(message, random);
  const stack =
    pattern.stack === undefined || random.next() < 0.3 ? undefined : STACKS[pattern.stack](random);
  const { errorClass } = pattern;
  if (random.next() < 0.5) {
    const head = errorClass === undefined ? message : `${errorClass}: ${message}`;
    const python = pattern.stack === 'py';
    if (stack === undefined || random.next() < 0.4) return head;
    return python
      ? ['Traceback (most recent call last):', ...stack, head].join('\n')
      : [head, ...stack].join('\n');
  }
  return {
    message,
    ...(errorClass === undefined ? {} : { errorClass }),
    ...(pattern.tool === undefined ? {} : { tool: fill(pattern.tool, random, names) }),
    ...(stack === undefined ? {} : { stack }),
    ...(pattern.attributes === undefined ? {} : { attributes: pattern.attributes }),
  };
}

/** What another logger, version or language setting does to the same message. */
function change(message: string, random: Random): string {
  let text = message;
  const draw = random.next();
  if (draw < 0.15) text = text.replace(/(?<![A-Za-z])'|'(?![A-Za-z])/g, '"');
  else if (draw < 0.25) text = text.replaceAll('"', "'");
  else if (draw < 0.35) text = text.slice(0, 1).toLowerCase() + text.slice(1);
  else if (draw < 0.45) text = `${text}.`;
  else if (draw < 0.55) text = `${text} (attempt ${1 + randomInt(random, 5)} of 5)`;
  if (/^level=/.test(text)) text = shufflePairs(text, random);
  if (text.startsWith('{')) return text;
  return (
    pick(
      random,
      WRAPPERS.map((wrap) => wrap(random)),
    ) + text
  );
}

function shufflePairs(text: string, random: Random): string {
  const pairs = text.match(/[\w.]+=(?:"[^"]*"|\S+)/g) ?? [];
  for (let at = pairs.length - 1; at > 0; at -= 1) {
    const other = randomInt(random, at + 1);
    [pairs[at], pairs[other]] = [pairs[other]!, pairs[at]!];
  }
  return pairs.join(' ');
}

/** `perPattern` pairs of each kind for every pattern. */
export function makeFailurePairs(seed: number, perPattern: number): FailurePair[] {
  const random = seededRandom(seed);
  return [
    ...pairsOf(DEVELOPED_FAMILIES, 'dev', random, perPattern),
    ...pairsOf(HELD_OUT_FAMILIES, 'held', random, perPattern),
  ];
}

function* pairsOf(
  families: readonly Family[],
  half: FailurePair['half'],
  random: Random,
  perPattern: number,
): Generator<FailurePair> {
  for (const [index, family] of families.entries()) {
    const patterns = patternsOf(family);
    const strangers = patternsOf(
      families[(index + 1 + randomInt(random, families.length - 1)) % families.length]!,
    );
    for (const [place, pattern] of patterns.entries()) {
      for (let count = 0; count < perPattern; count += 1) {
        const labels = { family: family.name, half };
        yield {
          a: render(pattern, random, false),
          b: render(pattern, random, true),
          same: true,
          ...labels,
        };
        const stranger = strangers[randomInt(random, strangers.length)]!;
        const relative =
          patterns[(place + 1 + randomInt(random, patterns.length - 1)) % patterns.length]!;
        // Different failures about the same things: their names must not tell them apart.
        const names: Names = new Map();
        const a = render(pattern, random, false, names);
        yield {
          a,
          b: render(count % 6 === 5 ? stranger : relative, random, true, names),
          same: false,
          ...labels,
        };
      }
    }
  }
}
