/** Writes `docs/reference/configuration.md` from the sections, so that it cannot go stale. */
import { z } from 'zod';
import { type Choice, fieldNote } from './fields.ts';
import { expectedOf, inner } from './schema-walk.ts';
import type { Section } from './types.ts';
import { weakensText } from './weakens.ts';

const HEAD = `# Configuration

\`hone.yaml\` is at the root of the repository that Hone improves; \`hone init\` writes it with a
comment on every key. Every key may be left out. Durations are written \`500ms\`, \`90s\`, \`5m\`, \`24h\`
or \`7d\`. A secret is never in the file: \`env:NAME\` refers to an
environment variable. A bad file gives every mistake at once, with its line, and nothing starts. An
edited file takes effect when a person accepts it (\`hone config accept\`). Weakening a key needs an
operator's token, and every channel that was accepted before is told.`;

export function renderConfigReference(sections: readonly Section[]): string {
  const parts = sections.map(({ key, title, schema }) =>
    [
      `## \`${key}\``,
      '',
      title,
      '',
      '| key | default | what | expects | weaker when |',
      '|---|---|---|---|---|',
      ...rows(schema, key, ''),
    ].join('\n'),
  );
  return `${[HEAD, ...parts].join('\n\n')}\n`;
}

function rows(schema: z.ZodObject, path: string, about: string): string[] {
  return Object.entries(schema.shape).flatMap(([key, child]) => {
    const { comment, choices, written, weakens } = fieldNote(child);
    const type = inner(child);
    const name = `${path}.${key}`;
    if (type instanceof z.ZodObject) return rows(type, name, `${about}${comment} `);
    const what = [`${about}${comment}`, ...choices.map(choiceText)].join(' ');
    const weaker = weakensText(weakens);
    const cells = [code(name), code(defaultText(written)), what, expectedOf(type), weaker];
    return [`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`];
  });
}

/** `local: moves a branch.` */
function choiceText({ name, about }: Choice): string {
  return `${code(name)}: ${about}.`;
}

function defaultText(written: unknown): string {
  if (written === '') return '""';
  return typeof written === 'string' ? written : JSON.stringify(written);
}

function code(text: string): string {
  return `\`${text}\``;
}
