/**
 * Walks over everything that is not printable ASCII and hands each hidden character, or run of them,
 * to the rule of its class. One pass; runs are judged once however long they are.
 */
import { reportBidiLine } from './bidi.ts';
import { hexPoint, hiddenClassOf, hiddenName } from './code-points.ts';
import { reportControl } from './controls.ts';
import { reportBlank, reportTags, reportVariation, reportZeroWidth } from './invisible.ts';
import type { Report } from './report.ts';
import { reportSpace } from './spaces.ts';

export function scanHidden(text: string, report: Report): void {
  const interesting = /[^\t\n\r\x20-\x7e]/g;
  let bidiCheckedTo = 0;
  for (let match = interesting.exec(text); match !== null; match = interesting.exec(text)) {
    const start = match.index;
    const point = text.codePointAt(start)!;
    const hidden = hiddenClassOf(point);
    if (hidden === 'seen') {
      interesting.lastIndex = start + (point > 0xffff ? 2 : 1);
      continue;
    }
    if (hidden === 'control') {
      interesting.lastIndex = reportControl(text, start, report);
      continue;
    }
    const run = { start, end: runEnd(text, start, hidden) };
    interesting.lastIndex = run.end;
    switch (hidden) {
      case 'bidi':
        if (start >= bidiCheckedTo) bidiCheckedTo = reportBidiLine(text, start, report);
        break;
      case 'zero_width':
        reportZeroWidth(text, run, report);
        break;
      case 'blank':
        reportBlank(text, run, report);
        break;
      case 'tag':
        reportTags(text, run, report);
        break;
      case 'variation':
        reportVariation(text, run, report);
        break;
      case 'space':
        reportSpace(text, run, report);
        break;
      default:
        reportInvalid(text, run, report);
    }
  }
}

function runEnd(text: string, start: number, hidden: string): number {
  let at = start;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit < 0x7f) break;
    const point = text.codePointAt(at)!;
    if (hiddenClassOf(point) !== hidden) break;
    at += point > 0xffff ? 2 : 1;
  }
  return at;
}

function reportInvalid(text: string, run: { start: number; end: number }, report: Report): void {
  const point = text.codePointAt(run.start)!;
  const name = `${hexPoint(point)} ${hiddenName(point)}`;
  const count = run.end - run.start;
  switch (hiddenClassOf(point)) {
    case 'surrogate':
      report.add(
        'invalid_sequence',
        'suspicious',
        run,
        `${name}: half of a character, not valid text`,
      );
      break;
    case 'nonchar':
      report.add('invalid_sequence', 'suspicious', run, `${name}: never valid in text`);
      break;
    case 'replacement':
      report.add(
        'invalid_sequence',
        'info',
        run,
        `${count} replacement character${count === 1 ? '' : 's'}: bytes were lost before the text came here`,
      );
      return;
    case 'private': {
      // Icon fonts and the Apple logo live in the first area; nothing ordinary in the other two.
      const severity = point > 0xffff || count > 8 ? 'suspicious' : 'info';
      report.add('private_use', severity, run, `${name}: shows as anything or nothing`);
      break;
    }
    default:
      report.add('unassigned', 'info', run, `${name}: no character of this Unicode version`);
  }
  report.mark(run.start, run.end);
}
