/**
 * Collects what the scanners see: findings, and the places that the visible form must mark. Both stay
 * bounded in any input: beyond the limit the mildest findings are counted and not kept.
 */
import { hexPoint, hiddenClassOf } from './code-points.ts';
import type { Finding, FindingKind, Severity } from './types.ts';

const ORDER: readonly Severity[] = ['dangerous', 'suspicious', 'info'];

export class Report {
  readonly #kept: Record<Severity, Finding[]> = { info: [], suspicious: [], dangerous: [] };
  readonly #max: number;
  #seen = 0;
  /** Flat pairs start, end; in no order. Every hidden or imitating character inside is marked. */
  readonly marks: number[] = [];

  constructor(findingsMax: number) {
    this.#max = findingsMax;
  }

  add(
    kind: FindingKind,
    severity: Severity,
    place: { start: number; end: number },
    message: string,
    reads?: string,
  ): void {
    this.#seen += 1;
    const kept = this.#kept[severity];
    if (kept.length >= this.#max) return;
    kept.push({
      kind,
      severity,
      start: place.start,
      end: place.end,
      message,
      ...(reads === undefined ? {} : { reads: readable(reads) }),
    });
  }

  mark(start: number, end: number): void {
    const last = this.marks.length - 1;
    if (last > 0 && this.marks[last] === start) this.marks[last] = end;
    else this.marks.push(start, end);
  }

  get severity(): Severity | 'none' {
    return ORDER.find((severity) => this.#kept[severity].length > 0) ?? 'none';
  }

  close(): { findings: Finding[]; findingsLeftOut: number } {
    const findings: Finding[] = [];
    for (const severity of ORDER)
      findings.push(...this.#kept[severity].slice(0, this.#max - findings.length));
    findings.sort((a, b) => a.start - b.start || a.end - b.end || (a.kind < b.kind ? -1 : 1));
    return { findings, findingsLeftOut: this.#seen - findings.length };
  }
}

const READS_UNITS_MAX = 200;

/** A smuggled text is shown to people too: cut, and with what it hides itself as marks. */
function readable(text: string): string {
  const points = [...text.slice(0, READS_UNITS_MAX)].map((character) => {
    const point = character.codePointAt(0)!;
    return hiddenClassOf(point) === 'seen' ? character : `\u27e8${hexPoint(point)}\u27e9`;
  });
  return text.length <= READS_UNITS_MAX ? points.join('') : `${points.join('')}\u2026`;
}
