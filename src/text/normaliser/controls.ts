/**
 * Control characters and what terminals do with them. An escape sequence can colour a line, or erase
 * what stood before it, conceal what follows, write the clipboard or make a link that shows another
 * address (ECMA-48; OSC 8 and OSC 52 are xterm's).
 */
import { hexPoint, hiddenClassOf, hiddenName } from './code-points.ts';
import type { Report } from './report.ts';
import type { Severity } from './types.ts';

const ESC = 0x1b;
const CSI = 0x9b;
/** An operating-system command longer than this is not skipped as one sequence. */
const OSC_UNITS_MAX = 4_096;

/** The end of the terminal sequence at `start`, or `start` when none is complete there. */
export function skipTerminalSequence(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === CSI) return skipParameters(text, start + 1) ?? start;
  if (first !== ESC) return start;
  const second = text.charCodeAt(start + 1);
  if (second === 0x5b) return skipParameters(text, start + 2) ?? start;
  if (second === 0x5d || second === 0x50 || second === 0x5e || second === 0x5f)
    return skipString(text, start + 2) ?? start;
  // Two-byte sequences: intermediates 0x20-0x2f, then one final byte.
  if (second >= 0x30 && second <= 0x7e) return start + 2;
  if (second >= 0x20 && second <= 0x2f) {
    const third = text.charCodeAt(start + 2);
    return third >= 0x30 && third <= 0x7e ? start + 3 : start;
  }
  return start;
}

function skipParameters(text: string, from: number): number | undefined {
  let at = from;
  const limit = Math.min(text.length, from + 64);
  while (at < limit) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x40 && unit <= 0x7e) return at + 1;
    if (unit < 0x20 || unit > 0x3f) return undefined;
    at += 1;
  }
  return undefined;
}

function skipString(text: string, from: number): number | undefined {
  const limit = Math.min(text.length, from + OSC_UNITS_MAX);
  for (let at = from; at < limit; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x07 || unit === 0x9c) return at + 1;
    if (unit === ESC) return text.charCodeAt(at + 1) === 0x5c ? at + 2 : undefined;
  }
  return undefined;
}

/** Reports the control character or sequence at `start`; returns where to go on. */
export function reportControl(text: string, start: number, report: Report): number {
  const end = skipTerminalSequence(text, start);
  if (end > start) {
    const sequence = text.slice(start, end);
    const [severity, message] = judgeSequence(sequence);
    report.add('terminal_sequence', severity, { start, end }, message);
    for (let at = start; at < end; at += 1)
      if (hiddenClassOf(text.codePointAt(at)!) !== 'seen') report.mark(at, at + 1);
    return end;
  }
  const unit = text.charCodeAt(start);
  let runEnd = start + 1;
  while (runEnd < text.length && text.charCodeAt(runEnd) === unit) runEnd += 1;
  // An escape that starts no sequence is looked at one by one, so the next may start one.
  if (unit === ESC || unit === CSI) runEnd = start + 1;
  const harmless = unit === 0x0c || unit === 0x0b || unit === 0x85;
  const overwrites = unit === 0x08 || unit === 0x7f;
  report.add(
    'control_character',
    harmless ? 'info' : 'suspicious',
    { start, end: runEnd },
    overwrites
      ? `${hexPoint(unit)} ${hiddenName(unit)}: a terminal overwrites the text before it`
      : `control character ${hexPoint(unit)} ${hiddenName(unit)}`,
  );
  report.mark(start, runEnd);
  return runEnd;
}

/** A carriage return that ends no line: a terminal shows only what follows it. */
export function reportCarriageReturns(text: string, report: Report): void {
  for (let at = text.indexOf('\r'); at !== -1; at = text.indexOf('\r', at + 1)) {
    const next = text.charCodeAt(at + 1);
    if (next === 0x0a || next === 0x0d || at + 1 >= text.length) continue;
    const previous = text.charCodeAt(at - 1);
    if (at === 0 || previous === 0x0a || previous === 0x0d) continue;
    report.add(
      'control_character',
      'info',
      { start: at, end: at + 1 },
      'a carriage return inside a line: a terminal shows only what follows it',
    );
    report.mark(at, at + 1);
  }
}

function judgeSequence(sequence: string): [Severity, string] {
  const csi = /^([0-9;:]*)([@-~])$/.exec(sequence.slice(sequence.startsWith('\u009b') ? 1 : 2));
  if (csi !== null && !sequence.startsWith('\u001b]')) {
    const [, parameters, final] = csi;
    if (final === 'm') {
      const conceals =
        parameters!.split(/[;:]/)[0] === '8' || /(^|;)8(;|$)/.test(plainStyles(parameters!));
      return conceals
        ? ['dangerous', 'terminal sequence that conceals the text after it']
        : ['info', 'terminal sequence that sets colour or style'];
    }
    return ['suspicious', 'terminal sequence that moves the cursor or erases what was shown'];
  }
  if (sequence.startsWith('\u001b]52;'))
    return ['dangerous', 'terminal sequence that writes the clipboard'];
  if (sequence.startsWith('\u001b]8;'))
    return ['suspicious', 'terminal link: the address may differ from the text shown'];
  return ['suspicious', 'terminal command sequence'];
}

/** Style parameters without the arguments of extended colours, where an 8 is only a number. */
function plainStyles(parameters: string): string {
  return parameters.replace(/[345]8[;:](?:5[;:]\d+|2(?:[;:]\d*){3,5})/g, '');
}
