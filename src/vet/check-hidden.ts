/** What a reader does not see: hidden and bidirectional characters, look-alikes, smuggled text. */
import { shownPath } from '../git/index.ts';
import { type Finding, normalise } from '../text/index.ts';
import { textsOf } from './check-complete.ts';
import { judged } from './check-result.ts';
import type { CheckResult, DiffLine, VetInput } from './types.ts';

export function checkHidden({ content, diff }: VetInput): CheckResult {
  const reasons = [
    ...diffReasons(diff.incoming),
    ...textsOf(content).flatMap(([name, text]) =>
      findingsOf(text).map((finding) => `${name}: ${finding.message}`),
    ),
    ...content.files.flatMap((path) =>
      findingsOf(path.slice(0, 5000)).map((finding) => `${shownPath(path)}: ${finding.message}`),
    ),
  ];
  return judged('held', [...new Set(reasons)], 'It hides nothing from its readers.');
}

/** As one text, because an encoded text may run over lines; then back to the line each begins on. */
function diffReasons(lines: readonly DiffLine[]): string[] {
  let [index, end] = [-1, 0];
  return findingsOf(lines.map(({ text }) => text).join('\n')).map((finding) => {
    while (index < 0 || (finding.start >= end && index < lines.length - 1))
      end += lines[++index]!.text.length + 1;
    return `Line ${lines[index]!.number} of the diff: ${finding.message}`;
  });
}

/** In the order of their start; including those inside encoded text, reported once at its place. */
function findingsOf(text: string): readonly Pick<Finding, 'start' | 'message'>[] {
  const { findings, layers } = normalise(text);
  const matters = ({ severity }: Finding) => severity !== 'info';
  const inside = layers
    .filter((layer) => layer.findings.some(matters))
    .map(({ start, encoding }) => ({
      start,
      message: `A text encoded as ${encoding} hides characters.`,
    }));
  return [...findings.filter(matters), ...inside].sort((a, b) => a.start - b.start);
}
