/** Formats numbers and foreign text for sentences. */
import type { FailingEvent } from '../facts/index.ts';

/** One line without control, invisible and direction-changing characters, at most `max` long. */
export function shown(text: string, max = 200): string {
  // Far more than is shown is never looked at: the text is somebody else's.
  const line = text
    .slice(0, max * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  if (line.length <= max) return line;
  return `${line
    .slice(0, max - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '')}…`;
}

/** `4 320` */
export function count(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ' ');
}

/** What failures are counted against. */
export function countedNoun(event: FailingEvent | undefined): string {
  if (event === 'trace_span') return 'spans';
  if (event === 'test_result') return 'runs';
  if (event === 'task_failure' || event === 'user_correction') return 'sessions';
  return event === 'log_line' ? 'lines' : 'calls';
}

/** `9.5 %`, `0.1 %`, `2 %` */
export function percent(share: number): string {
  const value = share * 100;
  const digits = value < 0.1 ? 3 : 1;
  return `${Number(value.toFixed(digits))} %`;
}

/** `timeout_ms`, `webSearch`, `web-search` → their words, in lower case. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The same for `webSearch`, `web_search` and `Web-Search`. */
export function sameName(one: string, other: string): boolean {
  if (one === other) return true;
  const words = joinedWords(one);
  return words !== '' && words === joinedWords(other);
}

/** Every setting is compared with every failure: the same few thousand names, over and over. */
const KNOWN_MAX = 20_000;
const known = new Map<string, string>();

function joinedWords(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  if (known.size >= KNOWN_MAX) known.clear();
  const joined = wordsOf(name).join('_');
  known.set(name, joined);
  return joined;
}
