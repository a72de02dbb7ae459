/** YAML 1.2, and 1.1 where a directive asks for it. Positions are those of the parser. */
import { parseAllDocuments } from 'yaml';
import type { Format, Parsed, Problem } from '../../types.ts';
import { locatedErrors, PARSE_OPTIONS } from './errors.ts';
import { syntaxOf } from './syntax.ts';
import { syntaxWords } from './syntax-words.ts';
import { writeYaml } from './write.ts';

export const yaml: Format = {
  name: 'yaml',
  extensions: ['yaml', 'yml'],
  isProse: false,
  parse: parseYaml,
  write: writeYaml,
};

export function parseYaml(text: string): Parsed {
  const parsed = parseAllDocuments(text, PARSE_OPTIONS);
  const documents = Array.isArray(parsed) ? parsed : [];
  const problems = documents.flatMap((document): Problem[] => [
    ...locatedErrors(document, text).map(({ code, offset }) => ({
      code: 'syntax' as const,
      offset,
      why: sentenceOf(code),
    })),
    ...document.warnings.slice(0, 1).map(({ pos }) => ({
      code: 'unknown_tag' as const,
      offset: pos[0],
      why: 'it has a tag whose meaning is not known here',
    })),
  ]);
  return {
    documents: documents.map(({ contents }) => syntaxOf(contents)),
    sections: [],
    problems,
  };
}

function sentenceOf(code: Parameters<typeof syntaxWords>[0]): string {
  const { expected, found } = syntaxWords(code);
  return `expected ${expected}, but found ${found}`;
}
