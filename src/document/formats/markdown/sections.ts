/** A text in sections by its headings, outside of fenced code and comments. One pass over the lines. */
import type { Section } from '../../types.ts';

const HEADING_CHARS_MAX = 400;
const SECTIONS_MAX = 10_000;

interface Head {
  readonly level: number;
  readonly title: string;
  readonly line: number;
  /** Where the text below it begins. */
  readonly start: number;
}

/** `from`: where the text begins, behind the front matter. */
export function sectionsOf(text: string, from: number): Section[] {
  const heads = headsOf(text, from);
  const sections: Section[] = [];
  const above: Head[] = [];
  for (const [index, { ends, ...head }] of heads.entries()) {
    while ((above.at(-1)?.level ?? 0) >= head.level && above.length > 0) above.pop();
    if (head.level > 0) above.push(head);
    const end = heads[index + 1]?.ends ?? text.length;
    const own = text.slice(head.start, end);
    // The text before the first heading is a section only if it is not empty.
    if (head.level === 0 && own.trim() === '') continue;
    const headings = above.map(({ title }) => title);
    sections.push({ headings, line: head.line, start: head.start, end, text: own });
  }
  return sections;
}

/** `ends`: where the section before it ends, which is where its own line begins. */
function headsOf(text: string, from: number): (Head & { readonly ends: number })[] {
  const heads = [{ level: 0, title: '', line: lineOf(text, from), start: from, ends: from }];
  const isOutside = codeAndComments();
  let line = heads[0]!.line;
  /** The line above, where it may be the title of an underlined heading. */
  let above: { readonly at: number; readonly text: string } | undefined;
  for (let at = from, next = at; at < text.length && heads.length < SECTIONS_MAX; at = next) {
    const end = text.indexOf('\n', at);
    next = end < 0 ? text.length : end + 1;
    const own = text.slice(at, next).trimEnd();
    const [before, isText] = [above, !isOutside(own)];
    above = isText && /^ {0,3}[^\s>|*+#-]/.test(own) ? { at, text: own } : undefined;
    const [, signs, title = ''] = (isText && /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(own)) || [];
    const [, under] = (isText && /^ {0,3}(=+|-+)$/.exec(own)) || [];
    if (signs !== undefined)
      heads.push({ level: signs.length, title: titleOf(title), line, start: next, ends: at });
    else if (under !== undefined && before !== undefined) {
      const level = under.startsWith('=') ? 1 : 2;
      const { at: ends, text: named } = before;
      heads.push({ level, title: titleOf(named), line: line - 1, start: next, ends });
      above = undefined;
    }
    line += 1;
  }
  return heads;
}

/** Says, line by line, whether it is in fenced code or in a comment. */
function codeAndComments(): (line: string) => boolean {
  let fence: string | undefined;
  let isComment = false;
  return (line) => {
    const [mark] = /(?<=^ {0,3})(?:`{3,}|~{3,})/.exec(line) ?? [];
    if (isComment) {
      isComment = !line.includes('-->');
      return true;
    }
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
      return true;
    }
    fence = mark;
    isComment = mark === undefined && /^ {0,3}<!--/.test(line) && !line.includes('-->');
    return mark !== undefined || isComment;
  };
}

/** Without the characters that may close it. */
function titleOf(text: string): string {
  return text
    .slice(0, HEADING_CHARS_MAX)
    .trim()
    .replace(/(?:^|[ \t])#+$/, '')
    .trim();
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
