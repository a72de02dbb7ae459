/** Markdown with the sections that are asked for, each with words of its own below it. */
import type { EvidenceValidator } from '../types.ts';

export const document: EvidenceValidator = {
  kind: 'document',
  about: 'Markdown with sections',
  mediaType: 'text/markdown',
  judge({ text }, { sections = [] }) {
    const found = { words: wordsIn(text) };
    if (found.words === 0) return { isValid: false, problem: 'It has no text.', found };
    const below = sectionsOf(text);
    const missing = sections.filter((name) => !below.has(plain(name)));
    if (missing.length > 0)
      return { isValid: false, problem: `It has no section ${missing.join(', ')}.`, found };
    const empty = sections.filter((name) => below.get(plain(name)) === 0);
    if (empty.length > 0)
      return { isValid: false, problem: `There is nothing below ${empty.join(', ')}.`, found };
    return { isValid: true, problem: null, found };
  },
};

/** Headings are compared by their letters and digits. */
const plain = (heading: string) =>
  heading
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const wordsIn = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;

/** Words below each heading, also those below its own headings. What stands in code fences is no heading. */
function sectionsOf(text: string): Map<string, number> {
  const sections = new Map<string, number>();
  let open: { name: string; level: number }[] = [];
  let fence: string | undefined;
  for (const line of text.replace(/<!--[\s\S]*?-->/g, '').split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined;
    const heading = fence === undefined ? /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line) : null;
    if (heading !== null) {
      const level = heading[1]!.length;
      open = open.filter((one) => one.level < level);
      const name = plain(heading[2]!);
      open.push({ name, level });
      sections.set(name, sections.get(name) ?? 0);
      continue;
    }
    for (const { name } of open) sections.set(name, sections.get(name)! + wordsIn(line));
  }
  return sections;
}
