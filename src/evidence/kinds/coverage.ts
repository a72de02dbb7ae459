/** How much of the code the tests run: the share of lines, from the forms that coverage tools write. */
import { fieldsOf, isFields, numberOf, parsedJson, valueAt } from '../../report/index.ts';
import type { EvidenceValidator } from '../types.ts';

export const coverage: EvidenceValidator = {
  kind: 'coverage',
  about: 'lcov, Cobertura XML, Istanbul’s JSON summary, coverage.py JSON, Go’s cover profile',
  mediaType: 'text/plain',
  judge({ text }, { min = 0 }, run) {
    const no = (problem: string, found = {}) => ({ isValid: false, problem, found });
    if (run !== undefined && (run.ended !== 'exited' || run.exitCode !== 0))
      return no('The run that measures coverage failed.');
    const share = linesCovered(text);
    if (share === undefined)
      return no('It is cut off, or it is no report of coverage that is known.');
    const found = { lines: Math.round(share * 10_000) / 10_000 };
    if (share >= min) return { isValid: true, problem: null, found };
    return no(`${percent(share)} of the lines are covered; ${percent(min)} are asked for.`, found);
  },
};

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function linesCovered(text: string): number | undefined {
  const head = text.trimStart();
  if (head.startsWith('mode:')) return goProfile(head);
  if (/^(?:TN:|SF:)/.test(head)) return lcov(head);
  if (head.startsWith('<')) return cobertura(head);
  const json = parsedJson(text);
  if (!isFields(json)) return undefined;
  const pct =
    numberOf(valueAt(json, 'total.lines.pct')) ??
    numberOf(fieldsOf(json['totals'])?.['percent_covered']);
  return pct === undefined ? undefined : bounded(pct / 100);
}

/** A file that ends before its last record is half a file. */
function lcov(text: string): number | undefined {
  if (!text.trimEnd().endsWith('end_of_record')) return undefined;
  let [found, hit] = [0, 0];
  for (const [, key, value] of text.matchAll(/^(LF|LH):(\d+)$/gm))
    if (key === 'LF') found += Number(value);
    else hit += Number(value);
  return found === 0 ? undefined : bounded(hit / found);
}

function cobertura(text: string): number | undefined {
  const rate = /<coverage\b[^>]*\bline-rate="([\d.]+)"/.exec(text)?.[1];
  return rate === undefined || !text.trimEnd().endsWith('</coverage>')
    ? undefined
    : bounded(Number(rate));
}

/** `file:from,to statements count`. */
function goProfile(text: string): number | undefined {
  let [all, covered] = [0, 0];
  for (const line of text.trimEnd().split('\n').slice(1)) {
    const parts = /^\S+:\d+\.\d+,\d+\.\d+ (\d+) (\d+)$/.exec(line.trim());
    if (parts === null) return undefined;
    all += Number(parts[1]);
    if (Number(parts[2]) > 0) covered += Number(parts[1]);
  }
  return all === 0 ? undefined : covered / all;
}

const bounded = (share: number) => (share >= 0 && share <= 1 ? share : undefined);
