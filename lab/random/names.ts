/**
 * Names, keys and sentences of random worlds, made by small grammars: words say what a thing is in many ways, or say
 * nothing at all.
 */
import type { Dice } from './dice.ts';

const ONSETS = 'b d f g k l m n p r s t v z br dr gr kl pl pr st tr'.split(' ');
const VOWELS = 'a e i o u ai ea'.split(' ');
const CODAS = ['', '', '', 'n', 'r', 'l', 'st', 'x', 'm', 'k'];

/** A name that is not among those given and says nothing, such as `stolek`. */
export function freshName(dice: Dice, taken: Set<string>): string {
  for (;;) {
    const syllable = () => dice.pick(ONSETS) + dice.pick(VOWELS);
    const name = syllable() + syllable() + (dice.chance(0.3) ? syllable() : '') + dice.pick(CODAS);
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

const VERBS = 'get run find list fetch read send query lookup search put render score'.split(' ');

/** Tools are named in the styles that are about. */
export function toolName(dice: Dice, taken: Set<string>): string {
  const name = freshName(dice, taken);
  const verb = dice.pick(VERBS);
  const titled = verb[0]!.toUpperCase() + verb.slice(1);
  return dice.pick([
    ...[name, `${name}_${verb}`, `${verb}_${name}`, `${verb}-${name}`, `${name}${titled}`],
    ...[`mcp__${name}__${verb}`, `${name}.${verb}`, `${name}/${verb}`, `${name}:${verb}`],
  ]);
}

export type SettingKind =
  | 'timeout'
  | 'retries'
  | 'concurrency'
  | 'rate'
  | 'max_output'
  | 'max_input'
  | 'arguments'
  | 'calls';

/** Words by what they set; of retries those that count further tries, and those that count the first as well. */
const KEYS: Readonly<Record<SettingKind | 'tries', string>> = {
  timeout:
    'timeout,wait,deadline,time limit,max duration,patience,budget,give up after,cutoff,max wait,ttl,lease,allowance,response time',
  retries: 'retries,max retries,again,repeat,extra tries,retry count,redo,second chances',
  tries: 'tries,attempts,max attempts,shots,total tries',
  concurrency: 'concurrency,parallel,max in flight,workers,lanes,simultaneous,slots,fan out',
  rate: 'rate,per minute,rpm,pace,throttle,calls per minute,tempo,max rate,quota',
  max_output: 'max tokens,max output,answer limit,length,cap,output budget,reply size,completion',
  max_input: 'max input,context limit,input cap,prompt budget,window,request size,context tokens',
  arguments: 'arguments,params,fields,inputs,args,takes,sends',
  calls: 'calls,function,target,id,endpoint,uses,action',
};
const QUALIFIERS = ['', '', '', '', 'request', 'call', 'http', 'tool', 'upstream', 'client'];

export type Casing = 'snake' | 'camel' | 'kebab';
export const CASINGS: readonly Casing[] = ['snake', 'snake', 'camel', 'kebab'];

export function cased(words: string, casing: Casing): string {
  const parts = words.split(/[ _]+/).filter(Boolean);
  if (casing !== 'camel') return parts.join(casing === 'snake' ? '_' : '-');
  return parts
    .map((part, at) => (at === 0 ? part : part[0]!.toUpperCase() + part.slice(1)))
    .join('');
}

/** Words for a key, such as `request max wait`; one in eight says nothing. */
export function keyWords(dice: Dice, kind: SettingKind | 'tries'): string {
  if (dice.chance(0.12)) return freshName(dice, new Set());
  return `${dice.pick(QUALIFIERS)} ${dice.pick(KEYS[kind].split(','))}`.trim();
}

const PLACES = 'agents conf settings app crew bots runtime config etc fleet ops svc'.split(' ');

export function folderName(dice: Dice): string {
  const place = dice.pick(PLACES);
  return dice.chance(0.35) ? `${place}/${dice.pick(PLACES.filter((one) => one !== place))}` : place;
}

const DEEDS = 'Give,Write,Check,Name,Repeat,Confirm,Shorten,Translate,Round,Quote'.split(',');
const THINGS =
  'every date,the order number,each amount,the currency,the source,the reply,any code,the customer,each figure,the address'.split(
    ',',
  );
const WAYS =
  'before anything else,as plain JSON,in one line,with its unit,without a code fence,in the language of the question,under one hundred words,by its full name,twice,to two places'.split(
    ',',
  );

/** A rule of a prompt, such as "Check the currency before anything else.". */
export function ruleText(dice: Dice): string {
  return `${dice.pick(DEEDS)} ${dice.pick(THINGS)} ${dice.pick(WAYS)}.`;
}

const SIZES = ['', '-mini', '-large', '-fast', '-7b', '-40b', '-preview', '-2026'];

export function modelName(dice: Dice, taken: Set<string>): string {
  return `${freshName(dice, taken)}-${dice.whole(1, 5)}${dice.pick(SIZES)}`;
}

const COMMIT_VERBS = 'Tidy,Update,Follow up on,Simplify,Sort,Rework,Clean up,Adjust'.split(',');
const COMMIT_THINGS =
  'settings,the review,values before the release,the files,defaults,wording,the configuration'.split(
    ',',
  );

export function commitText(dice: Dice): string {
  return `${dice.pick(COMMIT_VERBS)} ${dice.pick(COMMIT_THINGS)}`;
}
