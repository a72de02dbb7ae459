/**
 * Reads a structured file: its values with their places, its sections, or why it cannot be read. Pure. The text is
 * attacker-controlled: it never throws, work is linear in the text and the number of values, and both are bounded.
 */
import { formatOf } from './formats.ts';
import { lineIndex } from './line-index.ts';
import { resolve, Unsound } from './resolve.ts';
import type { Format, Limits, Parsed, Reading, Unreadable } from './types.ts';

/** Parsing takes about two seconds for each MiB of the worst text. */
const TEXT_UNITS_MAX = 1024 * 1024;
const LIMITS: Limits = { valuesMax: 200_000, depthMax: 60 };

export function readDocument(path: string, text: string, limits: Partial<Limits> = {}): Reading {
  const format = formatOf(path);
  if (format === undefined)
    return { ok: false, line: 1, why: 'there is no format for files of this name' };
  if (text.length > TEXT_UNITS_MAX)
    return { ok: false, line: 1, why: `it is longer than ${TEXT_UNITS_MAX} characters` };
  return read({ format, path, text }, { ...LIMITS, ...limits });
}

interface Source {
  readonly format: Format;
  readonly path: string;
  readonly text: string;
}

function read(source: Source, limits: Limits): Reading {
  const parsed = parse(source);
  if ('why' in parsed) return { ok: false, ...parsed };
  const positionAt = lineIndex(source.text);
  const lineAt = (offset: number) => positionAt(offset).line;
  const problems = parsed.problems.map(({ offset, ...one }) => ({ ...one, line: lineAt(offset) }));
  const broken = problems.find(({ code }) => code === 'syntax');
  if (broken !== undefined) return { ok: false, line: broken.line, why: broken.why };
  try {
    const resolved = resolve(parsed.documents, { text: source.text, lineAt, limits });
    const { sections } = parsed;
    return { ok: true, document: { ...source, ...resolved, sections, problems } };
  } catch (error) {
    if (error instanceof Unsound) return { ok: false, line: error.line, why: error.message };
    throw error;
  }
}

/** A parser that fails on somebody's text must not stop everything else. */
function parse({ format, text }: Source): Parsed | Unreadable {
  try {
    return format.parse(text);
  } catch (error) {
    // It calls itself for each level of nesting.
    const isDeep = error instanceof RangeError;
    return { line: 1, why: isDeep ? 'it is nested too deeply' : 'its parser gave up on it' };
  }
}
