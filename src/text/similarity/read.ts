/**
 * Reads a failure once, so that it can be compared many times: wrappers off, stack and `key=value`
 * pairs and JSON taken out of the message, error class, codes and meanings found. Any input gives a
 * reading; an empty message gives an empty one.
 */

import { TextError } from '../errors.ts';
import { isClassName, splitWords } from './identifiers.ts';
import { type Frame, framesOf, isFrameLine } from './stack.ts';
import { linksOf, type Token, tokensOf, UNITS_MAX } from './tokens.ts';
import type { Failure } from './types.ts';

export interface Reading {
  readonly tokens: readonly Token[];
  /** How its values are tied to what happened, in order of the alphabet. */
  readonly links: readonly string[];
  /** Words of the error class without `Error`; empty for none or for one that says nothing. */
  readonly classWords: readonly string[];
  readonly className: string;
  /** `http:429`, `errno:13`, `exit:137`, `ts2304`. */
  readonly codes: readonly string[];
  readonly tool: string;
  readonly frames: readonly Frame[];
  readonly attributeKeys: readonly string[];
  /** `reason=denied`: meanings of the attributes that say what happened. */
  readonly attributeValues: readonly string[];
}

type Value = string | number | boolean;

/** `(attempt 3 of 5)`: how often it was tried is not part of what went wrong. */
const COUNTED_TRIES =
  /\(?\b(?:attempt|retry|try|retries)[ :#]{1,2}\d{1,4}(?: ?(?:of|\/) ?\d{1,4})?\)?/gi;
const LINES_MAX = 12;
const ATTRIBUTES_MAX = 64;
const NAME_UNITS_MAX = 400;
const STACK_UNITS_MAX = 65_536;
const STACK_LINES_MAX = 64;
const CLASS_KEYS = ['error.type', 'exception.type', 'error_class', 'errorclass', 'exception'];
const TOOL_KEYS = ['tool', 'tool_name', 'gen_ai.tool.name'];
const GENERIC_CLASSES = new Set([
  'error',
  'exception',
  'runtime',
  'unknown',
  'internal',
  'generic',
  'base',
  'system',
  'warning',
  'failure',
  'fault',
]);
const MESSAGE_KEYS =
  /^(?:message|msg|error|err|detail|details|description|reason|error_message|errormessage|title|text|summary|cause)$/i;
const TELLING_KEYS =
  /(?:^|[_.-])(?:status|code|error|err|errno|type|kind|reason|category|signal|cause|exception|outcome|result|phase|op|operation|action|state)(?:[_.-]|$)/i;
const NUMBER_KEYS =
  /(?:^|[_.-])(?:status|statuscode|code|errno|signal|exit)(?:[_.-]|$)|status_?code|exit_?code/i;

export function readFailure(input: Failure | string): Reading {
  const failure = typeof input === 'string' ? { message: input } : input;
  if (typeof failure !== 'object' || failure === null)
    throw new TextError('not_text', `Expected a failure or its text, got ${typeof input}.`);
  const attributes = new Map<string, Value>();
  for (const [key, value] of Object.entries(failure.attributes ?? {}).slice(0, ATTRIBUTES_MAX))
    attributes.set(key.toLowerCase(), value);
  const { text, stackLines } = separate(String(failure.message ?? ''));
  const stripped = takePairs(takeJson(text, attributes), attributes).replace(COUNTED_TRIES, ' ');
  const className =
    given(failure.errorClass) ?? textOf(attributes, CLASS_KEYS) ?? classIn(stripped);
  const message = withoutClass(stripped, className);
  return {
    tokens: tokensOf(message),
    links: linksOf(message),
    classWords: wordsOfClass(className),
    className: lastPart(className),
    codes: codesOf(message, attributes),
    tool: (given(failure.tool) ?? textOf(attributes, TOOL_KEYS) ?? '').toLowerCase(),
    frames: framesOf([...givenStack(failure.stack), ...stackLines]),
    attributeKeys: [...attributes.keys()].sort(),
    attributeValues: tellingValues(attributes),
  };
}

/** A field that came from outside: not empty, and not longer than a name can be. */
function given(field: string | undefined): string | undefined {
  return typeof field === 'string' && field !== '' ? field.slice(0, NAME_UNITS_MAX) : undefined;
}

function givenStack(stack: Failure['stack']): string[] {
  const lines =
    typeof stack === 'string' ? stack.slice(0, STACK_UNITS_MAX).split('\n') : (stack ?? []);
  return lines.slice(0, STACK_LINES_MAX).filter((line) => typeof line === 'string');
}

function lastPart(className: string): string {
  return className.split(/\.|::|\\|\//).at(-1) ?? '';
}

/** Message lines and stack lines; a Python frame takes its source line with it. */
function separate(message: string): { text: string; stackLines: string[] } {
  const lines = message.slice(0, 4 * UNITS_MAX).split('\n');
  const kept: string[] = [];
  const stackLines: string[] = [];
  let afterFile = false;
  for (const line of lines) {
    if (isFrameLine(line)) {
      stackLines.push(line);
      afterFile = /^\s*File "/.test(line);
    } else if (
      /^\s*(?:Traceback \(most recent|goroutine \d+|stack backtrace:|\^+$|~*\^+~*$)/.test(line) ||
      (afterFile && /^\s{4}/.test(line))
    ) {
      afterFile = false;
    } else if (line.trim() !== '') {
      afterFile = false;
      if (kept.length < LINES_MAX) kept.push(unwrap(line));
    }
  }
  return { text: kept.join('\n'), stackLines };
}

const WRAPPERS: readonly RegExp[] = [
  /^\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?[\s:|,-]*/,
  /^\[?\d\d:\d\d:\d\d(?:[.,]\d{1,6})?\]?[\s:|-]*/,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)?,? ?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2}(?: \d{4})? \d\d:\d\d:\d\d[\s:]*/,
  /^\[?\d{10,13}\]?[\s:]+/,
  /^[<[(]?(?:ERROR|ERR|WARN|WARNING|INFO|DEBUG|FATAL|CRITICAL|CRIT|SEVERE|TRACE|NOTICE|ALERT|E|W|error|warn|warning|info|fatal|critical)[>\])]?(?:\s*[:|-]\s*|\s+(?=\S)|$)/,
  /^level=\w+\s+/,
  /^\[[\w.:/ #-]{1,60}\][\s:-]*/,
  /^\([\w.:/ #-]{1,40}\)[\s:-]+/,
  /^(?:Uncaught|Unhandled|UnhandledPromiseRejectionWarning:|Exception in thread "[^"]*"|Caused by:|\[stderr\]|stderr:|npm ERR!|thread '[^']*' panicked at)\s*/,
  /^(?:[\u2716\u274c\u26a0\u{1f6a8}\u2717\u00d7*>|-]|\ufe0f)+\s+/u,
];

/** Timestamps, levels, thread and logger names in front of the message. */
function unwrap(line: string): string {
  let rest = line.trim().slice(0, UNITS_MAX);
  for (let round = 0; round < 8; round += 1) {
    const before = rest;
    for (const wrapper of WRAPPERS) {
      const next = rest.replace(wrapper, '');
      if (next !== '') rest = next;
    }
    if (rest === before) break;
  }
  return rest;
}

/** A JSON object in or as the message: its sentences stay, the rest becomes attributes. */
function takeJson(text: string, attributes: Map<string, Value>): string {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start === -1 || end <= start || end - start > UNITS_MAX) return text;
  const parsed = parseObject(text.slice(start, end + 1));
  if (parsed === undefined) return text;
  const sentences: string[] = [];
  flatten(parsed, '', attributes, sentences, 0);
  return `${text.slice(0, start)} ${sentences.join('. ')} ${text.slice(end + 1)}`;
}

/** JSON, or an object as Python prints it: single quotes, `None`, `True`. */
function parseObject(text: string): unknown {
  const readings = [text];
  if (/^\{\s*'/.test(text))
    readings.push(
      text
        .replaceAll("'", '"')
        .replace(/\bNone\b/g, 'null')
        .replace(/\bTrue\b/g, 'true')
        .replace(/\bFalse\b/g, 'false'),
    );
  for (const reading of readings) {
    try {
      return JSON.parse(reading);
    } catch {
      // Not this way of writing; text with braces is text.
    }
  }
  return undefined;
}

function flatten(
  value: unknown,
  key: string,
  attributes: Map<string, Value>,
  sentences: string[],
  depth: number,
): void {
  if (attributes.size >= ATTRIBUTES_MAX || depth > 4) return;
  if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value))
      flatten(inner, name, attributes, sentences, depth + 1);
  } else if (typeof value === 'string' && MESSAGE_KEYS.test(key) && /\s/.test(value)) {
    if (sentences.length < LINES_MAX) sentences.push(value);
  } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    attributes.set(key.toLowerCase(), value);
}

/** `key=value`: order is not part of a failure. */
function takePairs(text: string, attributes: Map<string, Value>): string {
  return text.replace(
    /(?<![\w/?&%])([A-Za-z_][\w.-]{0,60})=(?:"([^"\n]{0,300})"|'([^'\n]{0,300})'|([^\s,;)\]}"']{1,300}))[,;]?/g,
    (_, key: string, double?: string, single?: string, bare?: string) => {
      const value = double ?? single ?? bare ?? '';
      if (MESSAGE_KEYS.test(key) && /\s/.test(value)) return ` ${value} `;
      if (attributes.size < ATTRIBUTES_MAX) attributes.set(key.toLowerCase(), value);
      return ' ';
    },
  );
}

function textOf(
  attributes: ReadonlyMap<string, Value>,
  keys: readonly string[],
): string | undefined {
  for (const key of keys) {
    const value = attributes.get(key);
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function classIn(text: string): string {
  for (const match of text.slice(0, 1_024).matchAll(/[A-Za-z_$][\w$.\\]*(?:::[\w$]+)*/g))
    if (isClassName(match[0])) return match[0];
  return '';
}

function withoutClass(text: string, className: string): string {
  if (className === '') return text;
  const at = text.indexOf(className);
  return at === -1 ? text : `${text.slice(0, at)} ${text.slice(at + className.length)}`;
}

function wordsOfClass(className: string): string[] {
  return splitWords(lastPart(className)).filter((word) => !GENERIC_CLASSES.has(word));
}

const REASON_PHRASES: Readonly<Record<string, string>> = {
  'too many requests': '429',
  'bad gateway': '502',
  'service unavailable': '503',
  'gateway timeout': '504',
  'internal server error': '500',
  'bad request': '400',
  'payload too large': '413',
  'method not allowed': '405',
};

function codesOf(message: string, attributes: ReadonlyMap<string, Value>): string[] {
  const codes = new Set<string>();
  const text = message.slice(0, UNITS_MAX);
  for (const match of text.matchAll(
    /\b(?:https?(?:\/\d(?:\.\d)?)?|status(?: ?code)?|code|response|returned|error|responded with|failed with|got http)\b[\s:=("'#]{0,3}([1-5]\d\d)\b(?!\s?(?:ms|s|sec|bytes|[KMG]B|%|x|\.\d|items|files|times|rows|tokens|records))/gi,
  ))
    codes.add(`http:${match[1]}`);
  for (const match of text.matchAll(
    /\b([1-5]\d\d) (?:client error|server error|[A-Z][a-z]+ ?[A-Z]?[a-z]*)(?=[\s:.,)]|$)/g,
  ))
    codes.add(`http:${match[1]}`);
  const lower = text.toLowerCase();
  for (const [phrase, code] of Object.entries(REASON_PHRASES))
    if (lower.includes(phrase)) codes.add(`http:${code}`);
  for (const match of text.matchAll(/\b(?:errno|os error)[\s:=(]{0,3}(-?\d{1,5})\b/gi))
    codes.add(`errno:${match[1]!.replace('-', '')}`);
  for (const match of text.matchAll(
    /\b(?:exit(?:ed)?(?: with)?(?: non-zero)?(?: exit)?(?: status| code)?|status code)[\s:=(]{0,2}(\d{1,3})\b/gi,
  ))
    if (!codes.has(`http:${match[1]}`)) codes.add(`exit:${match[1]}`);
  for (const match of text.matchAll(/\b(?:sqlstate|sql state)[\s:=[("']{0,3}([0-9A-Z]{5})\b/gi))
    codes.add(`sql:${match[1]}`);
  for (const match of text.matchAll(/\b(SIG[A-Z]{3,6})\b/g)) codes.add(`signal:${match[1]}`);
  for (const match of text.matchAll(/\b(?:ERROR|error code|code)[\s:=#(]{1,3}(-?\d{4,6})\b/gi))
    codes.add(`code:${match[1]}`);
  for (const [key, value] of attributes) {
    if (!NUMBER_KEYS.test(key)) continue;
    const written = String(value);
    if (/^[1-5]\d\d$/.test(written) && !/exit|signal/.test(key)) codes.add(`http:${written}`);
    else if (/^-?\d{1,6}$/.test(written))
      codes.add(`${/exit/.test(key) ? 'exit' : /errno/.test(key) ? 'errno' : 'code'}:${written}`);
  }
  return [...codes].sort();
}

function tellingValues(attributes: ReadonlyMap<string, Value>): string[] {
  const values = new Set<string>();
  for (const [key, value] of attributes) {
    if (!TELLING_KEYS.test(key) || typeof value !== 'string' || value.length > 120) continue;
    const meanings = tokensOf(value.replace(/[_-]/g, ' '))
      .filter((token) => token.kind === 'telling')
      .map((token) => token.text);
    if (meanings.length > 0) values.add(`${key}=${meanings.join('+')}`);
  }
  return [...values].sort();
}
