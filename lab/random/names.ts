/** Names that say nothing about what they name, and words that people use for settings, some of which say nothing either. */
import type { Dice } from './dice.ts';

const STARTS = [
  'ba',
  'ke',
  'lo',
  'mi',
  'nu',
  'pra',
  'ri',
  'sto',
  'ta',
  'vel',
  'zo',
  'gra',
  'fi',
  'du',
];
const ENDS = ['n', 'ra', 'lek', 'mo', 'st', 'vi', 'dor', 'ka', 'ple', 'x', 'gan', 'to'];

/** A name that is not among those given, such as `stolek`. */
export function freshName(dice: Dice, taken: Set<string>): string {
  for (;;) {
    const name = dice.pick(STARTS) + dice.pick(STARTS) + dice.pick(ENDS);
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

/** Tools are named in the styles that are about. */
export function toolName(dice: Dice, taken: Set<string>): string {
  const name = freshName(dice, taken);
  return dice.pick([name, `${name}_get`, `mcp__${name}__run`, `${name}Lookup`, `${name}.query`]);
}

export type SettingKind =
  | 'timeout'
  | 'retries'
  | 'concurrency'
  | 'rate'
  | 'max_output'
  | 'arguments'
  | 'calls';

/** Keys by what they set. The last of each list tells nobody anything. */
export const KEY_WORDS: Readonly<Record<SettingKind, readonly string[]>> = {
  timeout: [
    'timeout',
    'wait',
    'deadline',
    'time_limit',
    'max_duration',
    'patience',
    'budget',
    'k1',
  ],
  retries: ['retries', 'max_retries', 'again', 'repeat', 'extra_tries', 'k2'],
  concurrency: ['concurrency', 'parallel', 'max_in_flight', 'workers', 'lanes', 'k3'],
  rate: ['rate', 'per_minute', 'rpm', 'pace', 'throttle', 'k4'],
  max_output: ['max_tokens', 'max_output', 'answer_limit', 'length', 'cap', 'k5'],
  arguments: ['arguments', 'params', 'fields', 'inputs', 'k6'],
  calls: ['calls', 'function', 'target', 'id', 'k7'],
};

export const FOLDERS = [
  'agents',
  'conf',
  'settings',
  'app',
  'crew',
  'bots',
  'services/fleet',
  'runtime',
];
export const RULES = [
  'Answer in the language of the question.',
  'Give every date as year, month and day.',
  'Ask for the order number before anything else.',
  'Return plain JSON without a code fence.',
  'Name the source of every figure.',
  'Never call a tool twice with the same arguments.',
  'Check the currency before you add amounts.',
  'Keep answers under one hundred words.',
];
export const MODELS = [
  'nova-2-large',
  'nova-2-mini',
  'quill-1',
  'quill-1-fast',
  'orrin-7b',
  'orrin-40b',
];
