/**
 * Error messages as real tools write them: full of ids and addresses that differ each time, and now and
 * then with something that nobody should have logged. All of it is made up from the draws.
 */
import { type Random, randomInt } from '../src/base/index.ts';

const HEX = '0123456789abcdef';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const MAILBOXES = ['billing', 'ops', 'support', 'team', 'reader', 'office'];

interface Named {
  readonly agent: string;
  readonly tool: string;
  readonly limit?: number;
  readonly argument?: string;
}

type Filler = (random: Random, named: Named) => string;

const PLACEHOLDERS = new Map<string, Filler>([
  ['agent', (_, { agent }) => agent],
  ['tool', (_, { tool }) => tool],
  ['limit', (_, { limit }) => String(limit ?? '')],
  ['limit_seconds', (_, { limit }) => String((limit ?? 0) / 1000)],
  ['argument', (_, { argument }) => argument ?? ''],
  ['id', (random) => letters(random, HEX, 12)],
  ['number', (random) => String(1 + randomInt(random, 9999))],
  ['seconds', (random) => String(1 + randomInt(random, 60))],
  ['port', (random) => String(32_768 + randomInt(random, 28_000))],
  [
    'ip',
    (random) => `10.${randomInt(random, 256)}.${randomInt(random, 256)}.${randomInt(random, 256)}`,
  ],
  [
    'email',
    (random) =>
      `${MAILBOXES[randomInt(random, MAILBOXES.length)]}${randomInt(random, 90)}@example.org`,
  ],
  ['token', (random) => `tok_${letters(random, LETTERS, 32)}`],
]);

export const PLACEHOLDER_NAMES: readonly string[] = [...PLACEHOLDERS.keys()];

const PLACEHOLDER = /\{([^{}]*)\}/g;

export function unknownPlaceholder(template: string): string | undefined {
  return [...template.matchAll(PLACEHOLDER)]
    .map(([, name]) => name!)
    .find((name) => !PLACEHOLDERS.has(name));
}

export function fillMessage(template: string, random: Random, named: Named): string {
  return template.replace(
    PLACEHOLDER,
    (whole, name: string) => PLACEHOLDERS.get(name)?.(random, named) ?? whole,
  );
}

export function timeoutMessage(tool: string, timeoutMs: number, random: Random): string {
  return `${tool} timed out after ${timeoutMs} ms (request ${letters(random, HEX, 12)})`;
}

export function overloadMessage(tool: string, capacity: number): string {
  return `no free worker for ${tool} (${capacity} of ${capacity} busy)`;
}

function letters(random: Random, alphabet: string, count: number): string {
  let text = '';
  for (let i = 0; i < count; i++) text += alphabet[randomInt(random, alphabet.length)];
  return text;
}
