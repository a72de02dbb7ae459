/** What this room contributes to `hone.yaml`. */
import { z } from 'zod';
import { field, group, section, toolPattern } from '../config/index.ts';

const PLAIN_PATH = /^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[^\s\0]{1,200}$/;
const path = z.string().regex(PLAIN_PATH);
const word = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/);
const words = z.array(word).max(50);

const personaSchema = z.strictObject({
  name: word,
  tools: z.array(toolPattern()).max(200),
  overlays: z.prefault(words, []),
  skills: z.prefault(words, []),
});
export type Persona = z.output<typeof personaSchema>;

/** Of two with one name, one would hold and the other be read by people. */
function nameOnce(personas: readonly Persona[], context: z.RefinementCtx): void {
  for (const [at, { name }] of personas.entries()) {
    if (!personas.slice(0, at).some((one) => one.name === name)) continue;
    const why = `There are two personas called ${name}.`;
    context.addIssue({ code: 'custom', path: [at, 'name'], params: { problem: 'bad_form', why } });
  }
}

/** Empty: there is none. */
const pathOrNone = z.union([z.literal(''), path]);
const paths = z.record(word, path);
const part = (about: string) =>
  field(pathOrNone, '', { weakens: 'any', comment: `${about}; a file of the target.` });
const named = (about: string) =>
  field(paths, {}, { weakens: 'any', comment: `${about}; files of the target.` });

export const promptSection = section('prompt', 'What agents at work are told.', {
  files: field(z.array(path).max(50), ['AGENTS.md', 'CLAUDE.md'], {
    weakens: 'removal',
    comment: 'Instruction files that must not change unnoticed while a task runs.',
  }),
  parts: group('What prompts are compiled from ("hone task prompt").', {
    core: part('What every agent is told'),
    roles: named('What is told in a phase, by its name'),
    overlays: named('What personas are told of their domain, by name'),
    skills: named('What personas can do, by name'),
    rubric: part('What the work is measured by'),
    anchors: part('What always holds, said last'),
  }),
  personas: field(z.array(personaSchema).max(100).superRefine(nameOnce), [], {
    weakens: 'any',
    comment: 'Who an agent is in a task: the tools it may call, its overlays and skills.',
  }),
});
