/** Everything about one text: what a reader does not see, how it compares, how to show it. */
import { TextError } from '../errors.ts';
import { type Canonical, canonicalise, isPlainAscii } from './canonical.ts';
import { reportCarriageReturns } from './controls.ts';
import { scanHidden } from './hidden.ts';
import { type Inspected, openLayers } from './layers.ts';
import { LookalikeWatch } from './lookalikes.ts';
import { Report } from './report.ts';
import { reportPushedText } from './spaces.ts';
import type { SpellingObserver } from './spelling.ts';
import { DEFAULT_LIMITS, type Limits, type Normalised } from './types.ts';
import { makeVisible } from './visible.ts';

/** Any string is accepted: binary, lone surrogates and 10 MB of one character get an answer. */
export function normalise(text: string, options: Partial<Limits> = {}): Normalised {
  const limits = { ...DEFAULT_LIMITS, ...options };
  refuseUnreadable(text, limits);
  const report = new Report(limits.findingsMax);
  const canonical = scan(text, report);
  const layers = openLayers(text, limits, report, (layer) => inspectLayer(layer, limits));
  const { findings, findingsLeftOut } = report.close();
  return {
    severity: report.severity,
    findings,
    findingsLeftOut,
    canonical: canonical.text,
    visible: makeVisible(text, report.marks),
    layers,
    originalRange: canonical.originalRange,
  };
}

/** Only the canonical form, for comparing many texts. */
export function canonicalForm(text: string, options: Partial<Limits> = {}): string {
  refuseUnreadable(text, { ...DEFAULT_LIMITS, ...options });
  return canonicalise(text).text;
}

/** Only the visible form, for showing a text to a person. */
export function visibleForm(text: string, options: Partial<Limits> = {}): string {
  const limits = { ...DEFAULT_LIMITS, ...options };
  refuseUnreadable(text, limits);
  const report = new Report(limits.findingsMax);
  scan(text, report);
  return makeVisible(text, report.marks);
}

function refuseUnreadable(text: string, limits: Limits): void {
  if (typeof text !== 'string')
    throw new TextError('not_text', `Expected a string to look at, got ${typeof text}.`);
  if (text.length > limits.inputUnitsMax) {
    throw new TextError(
      'text_too_long',
      `The text has ${text.length} UTF-16 units; at most ${limits.inputUnitsMax} are looked at.`,
      { hint: 'Split the text, or look at its beginning only.' },
    );
  }
}

/** The original, or one layer, without opening encodings. */
function scan(text: string, report: Report): Canonical {
  reportPushedText(text, report);
  if (text.includes('\r')) reportCarriageReturns(text, report);
  const spelling = new SpellingWatch();
  if (isPlainAscii(text)) {
    const canonical = canonicalise(text, { spelling });
    spelling.judge(report);
    return canonical;
  }
  scanHidden(text, report);
  const canonical = canonicalise(text, { letters: new LookalikeWatch(text, report), spelling });
  spelling.judge(report);
  return canonical;
}

function inspectLayer(text: string, limits: Limits): Inspected {
  const report = new Report(limits.findingsMax);
  const canonical = scan(text, report);
  return {
    canonical: canonical.text,
    severity: report.severity,
    findings: report.close().findings,
  };
}

/** One odd spelling may be a name; several in one text are a way of writing. */
class SpellingWatch implements SpellingObserver {
  readonly #found: {
    kind: 'leet_word' | 'spaced_word';
    start: number;
    end: number;
    reads: string;
  }[] = [];
  #leet = 0;

  leet(start: number, end: number, reads: string): void {
    this.#leet += 1;
    this.#found.push({ kind: 'leet_word', start, end, reads });
  }

  spaced(start: number, end: number, reads: string): void {
    this.#found.push({ kind: 'spaced_word', start, end, reads });
  }

  judge(report: Report): void {
    for (const { kind, start, end, reads } of this.#found) {
      if (kind === 'spaced_word')
        report.add(
          kind,
          'suspicious',
          { start, end },
          `letters set apart spell "${reads.slice(0, 80)}"`,
          reads,
        );
      else
        report.add(
          kind,
          this.#leet >= 3 ? 'dangerous' : 'suspicious',
          { start, end },
          `digits and signs for letters spell "${reads}"`,
          reads,
        );
    }
  }
}
