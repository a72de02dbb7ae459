/**
 * Bidirectional controls, judged line by line, because the Unicode Bidirectional Algorithm (UAX #9)
 * ends every embedding and isolate at the paragraph's end. Trojan Source (CVE-2021-42574) needs an
 * override, or an isolate or embedding that is left open or turns left-to-right text around.
 */
import { hexPoint, hiddenClassOf, hiddenName } from './code-points.ts';
import type { Report } from './report.ts';
import type { Severity } from './types.ts';

const RIGHT_TO_LEFT =
  /[[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]&&\p{L}]/v;

const LRM = 0x200e;
const RLM = 0x200f;
const ALM = 0x061c;
const LRE = 0x202a;
const RLE = 0x202b;
const PDF = 0x202c;
const LRO = 0x202d;
const RLO = 0x202e;
const RLI = 0x2067;
const PDI = 0x2069;

/** Reports every control from `start` to its line's end; returns that end. */
export function reportBidiLine(text: string, start: number, report: Report): number {
  const lineStart = text.lastIndexOf('\n', start) + 1;
  const newline = text.indexOf('\n', start);
  const lineEnd = newline === -1 ? text.length : newline;
  const mixed = RIGHT_TO_LEFT.test(text.slice(lineStart, lineEnd));
  const balanced = isBalanced(text, start, lineEnd);
  for (let at = start; at < lineEnd; ) {
    const point = text.charCodeAt(at);
    if (point < ALM || hiddenClassOf(point) !== 'bidi') {
      at += 1;
      continue;
    }
    let end = at + 1;
    while (text.charCodeAt(end) === point) end += 1;
    const [severity, why] = judge(point, mixed, balanced);
    // A mark beside right-to-left letters is ordinary spelling and stays as it is.
    if (severity !== undefined) {
      const name = `${hexPoint(point)} ${hiddenName(point)}`;
      report.add('bidi_control', severity, { start: at, end }, `${name}: ${why}`);
      report.mark(at, end);
    }
    at = end;
  }
  return lineEnd;
}

/** Every isolate and embedding is closed by its own closer, in order, on this line. */
function isBalanced(text: string, from: number, end: number): boolean {
  const open: number[] = [];
  for (let at = from; at < end; at += 1) {
    const point = text.charCodeAt(at);
    if (point < LRE || hiddenClassOf(point) !== 'bidi') continue;
    if (point !== PDF && point !== PDI) open.push(point);
    else {
      const opener = open.pop();
      if (opener === undefined || (point === PDI) !== opener >= 0x2066) return false;
    }
  }
  return open.length === 0;
}

function judge(point: number, mixed: boolean, balanced: boolean): [Severity | undefined, string] {
  if (point === LRO || point === RLO)
    return ['dangerous', 'the text after it is shown in another order than it is read by machines'];
  if (point === LRM || point === RLM || point === ALM) {
    return mixed
      ? [undefined, '']
      : ['suspicious', 'a direction mark where no text runs from right to left'];
  }
  if (!balanced) {
    return [
      mixed ? 'suspicious' : 'dangerous',
      'opened and never closed on its line, or closed and never opened: the line may be shown reordered',
    ];
  }
  if (!mixed && (point === RLI || point === RLE))
    return ['dangerous', 'turns left-to-right text around: it is shown in another order'];
  if (!mixed && (point === LRE || point === PDF))
    return ['suspicious', 'an embedding where no text runs from right to left'];
  return ['info', 'direction set and closed on the same line'];
}
