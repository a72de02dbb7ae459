/**
 * The single tests of a report in JUnit's XML, which most test runners can write. It comes out of the sandbox, so it is not
 * trusted: what cannot be read is no report.
 */
import { parseXml, XmlElement } from '@rgrove/parse-xml';

/** Whether it passed, by suite and name. One that was skipped is not there. */
export type TestResults = ReadonlyMap<string, boolean>;

/** Colours of terminals, which XML forbids and tools write all the same. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const DEPTH_MAX = 50;

/** Undefined where it is no such report, or one without tests. */
export function junitTests(bytes: Uint8Array): TestResults | undefined {
  const text = Buffer.from(bytes)
    .toString()
    .replace(/^\ufeff/, '')
    .trim()
    .replace(FORBIDDEN, '');
  let root: XmlElement | null;
  try {
    root = parseXml(text, { ignoreUndefinedEntities: true }).root;
  } catch {
    return undefined;
  }
  const tests = new Map<string, boolean>();
  if (root !== null) addTests(root, { suite: '', depth: 0 }, tests);
  return tests.size === 0 ? undefined : tests;
}

function addTests(
  element: XmlElement,
  { suite, depth }: { readonly suite: string; readonly depth: number },
  tests: Map<string, boolean>,
): void {
  if (depth > DEPTH_MAX) return;
  const { name = '', classname = suite } = element.attributes;
  const children = element.children.filter((child) => child instanceof XmlElement);
  const has = (...names: readonly string[]) => children.some((child) => names.includes(child.name));
  if (element.name === 'testcase') {
    if (has('skipped', 'disabled')) return;
    const key = classname === '' ? name : `${classname}: ${name}`;
    // Tests of one name are told apart by nothing: all of them have to pass.
    tests.set(key, !has('failure', 'error') && tests.get(key) !== false);
    return;
  }
  const inside = element.name === 'testsuite' && name !== '' ? name : suite;
  for (const child of children) addTests(child, { suite: inside, depth: depth + 1 }, tests);
}
