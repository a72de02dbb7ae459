/** Markdown: the values of its front matter, and its text in sections by headings. */
import type { Format, Parsed } from '../../types.ts';
import { writeJson } from '../json/json.ts';
import { parseJson } from '../json/parse.ts';
import { writeYaml } from '../yaml/write.ts';
import { parseYaml } from '../yaml/yaml.ts';
import { sectionsOf } from './sections.ts';

export const markdown: Format = {
  name: 'markdown',
  extensions: ['md', 'markdown'],
  isProse: true,
  parse: (text) => {
    const matter = frontMatterOf(text);
    const from = matter?.after ?? (text.startsWith('\ufeff') ? 1 : 0);
    return { ...valuesOf(text, matter), sections: sectionsOf(text, from) };
  },
  write: (value, to) => (value.style === 'json' ? writeJson(value, to) : writeYaml(value, to)),
};

interface FrontMatter {
  readonly start: number;
  readonly end: number;
  /** Where the text after it begins. */
  readonly after: number;
  readonly isJson: boolean;
}

/** What comes before it is replaced by spaces, so that every offset is an offset in the whole text. */
function valuesOf(text: string, matter: FrontMatter | undefined): Parsed {
  if (matter === undefined) return { documents: [], sections: [], problems: [] };
  const { start, end, isJson } = matter;
  const alone = text.slice(0, start).replace(/[^\n]/g, ' ') + text.slice(start, end);
  return isJson ? parseJson(alone) : parseYaml(alone);
}

/** Between the first two lines of `---` YAML, or JSON behind `---json`; or JSON between the lines `{` and `}`. */
function frontMatterOf(text: string): FrontMatter | undefined {
  const [opening, mark] = /^\ufeff?(---(?:yaml|json)?|\{)[ \t]*\r?\n/.exec(text) ?? [];
  if (opening === undefined) return undefined;
  const isBare = mark === '{';
  const closing = isBare ? /^\}[ \t]*\r?$\n?/gm : /^---[ \t]*\r?$\n?/gm;
  closing.lastIndex = opening.length;
  const found = closing.exec(text);
  if (found === null) return undefined;
  const after = found.index + found[0].length;
  if (isBare) return { start: text.indexOf('{'), end: found.index + 1, after, isJson: true };
  return { start: opening.length, end: found.index, after, isJson: mark === '---json' };
}
