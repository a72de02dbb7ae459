/**
 * JUnit's XML, of which there is no one form: the root is `testsuites` or a bare `testsuite`, suites nest, and each
 * tool adds what it likes. Totals are not trusted: every case is counted by itself.
 */
import { parseXml, XmlElement } from '@rgrove/parse-xml';
import type { CaseResult } from './case-result.ts';
import { durationIn } from './durations.ts';
import { timeOf } from './times.ts';
import { bounded, nameOf } from './values.ts';

/** Terminals' colours and other signs that XML forbids, which tools write all the same. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const DEPTH_MAX = 50;

/** Undefined if it is no XML, or XML of something else. */
export function junitResults(text: string): readonly CaseResult[] | undefined {
  let root: XmlElement | null;
  try {
    root = parseXml(
      text
        .replace(/^\ufeff/, '')
        .trimStart()
        .replace(FORBIDDEN, ''),
      {
        ignoreUndefinedEntities: true,
      },
    ).root;
  } catch {
    return undefined;
  }
  if (root === null || (root.name !== 'testsuites' && root.name !== 'testsuite')) return undefined;
  return [...casesIn(root, { suite: undefined, atMs: undefined, depth: 0 })];
}

interface Inside {
  readonly suite: string | undefined;
  readonly atMs: number | undefined;
  readonly depth: number;
}

function* casesIn(element: XmlElement, { suite, atMs, depth }: Inside): Generator<CaseResult> {
  if (depth > DEPTH_MAX) return;
  const { name, timestamp } = element.attributes;
  const own = element.name === 'testsuite' ? nameOf(name) : undefined;
  const inside = { suite: own ?? suite, atMs: timeOf(timestamp) ?? atMs, depth: depth + 1 };
  for (const child of elementsOf(element)) {
    if (child.name === 'testsuite') yield* casesIn(child, inside);
    if (child.name === 'testcase') yield caseOf(child, inside);
  }
}

const elementsOf = (element: XmlElement) =>
  element.children.filter((child): child is XmlElement => child instanceof XmlElement);

function caseOf(element: XmlElement, { suite, atMs }: Inside): CaseResult {
  const { classname, name, time, file } = element.attributes;
  const children = elementsOf(element);
  const bad = children.find((child) => child.name === 'failure' || child.name === 'error');
  // Surefire: it failed, was run again and passed.
  const flaky = children.find(
    (child) => child.name === 'flakyFailure' || child.name === 'flakyError',
  );
  const skipped = children.some((child) => child.name === 'skipped' || child.name === 'disabled');
  const told = bad ?? flaky;
  return {
    suite: nameOf(classname) ?? suite ?? nameOf(file),
    test: nameOf(name) ?? 'unnamed',
    status:
      bad !== undefined ? 'failed' : flaky !== undefined ? 'flaky' : skipped ? 'skipped' : 'passed',
    // Surefire writes thousands with commas.
    durationMs: durationIn(time?.replaceAll(',', ''), 's'),
    errorMessage: told === undefined ? undefined : messageOf(told),
    atMs,
  };
}

/** The attribute is the sentence; the text below it is the trace, and often begins with the same. */
function messageOf(element: XmlElement): string | undefined {
  const { message, type } = element.attributes;
  const trace = element.text.trim();
  const said = message?.trim() ?? '';
  if (said !== '' && !trace.includes(said))
    return bounded(trace === '' ? said : `${said}\n${trace}`);
  return bounded(trace || said || type || '') || undefined;
}
