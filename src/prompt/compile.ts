/**
 * Compiles what an agent is told in a phase from its parts: core, the phase's role, overlays, skills, rubric, anchors, in this
 * order. Pure and canonical: the same parts give the same bytes, whatever their line ends, so that a digest says it all.
 */
import { type Digest, digestOfBytes } from '../base/index.ts';

/** Each with what it is called and its text, as it stands in its file. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

export interface PromptParts {
  readonly core: string | undefined;
  /** Of the phase. */
  readonly role: NamedText | undefined;
  readonly overlays: readonly NamedText[];
  readonly skills: readonly NamedText[];
  readonly rubric: string | undefined;
  readonly anchors: string | undefined;
}

export interface CompiledPrompt {
  readonly text: string;
  readonly promptDigest: Digest;
}

export function compilePrompt(parts: PromptParts): CompiledPrompt {
  const { core, role, overlays, skills, rubric, anchors } = parts;
  const text = [
    ...section('Core', core),
    ...(role === undefined ? [] : section(`Role: ${role.name}`, role.text)),
    ...byName(overlays).flatMap((one) => section(`Overlay: ${one.name}`, one.text)),
    ...byName(skills).flatMap((one) => section(`Skill: ${one.name}`, one.text)),
    ...section('Rubric', rubric),
    ...section('Anchors', anchors),
  ].join('\n');
  return { text, promptDigest: digestOfBytes(Buffer.from(text)) };
}

/** Their order in the configuration says nothing. */
const byName = (all: readonly NamedText[]) =>
  [...all].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

/** One without text is left out: a heading alone tells an agent nothing. */
function section(heading: string, given: string | undefined): string[] {
  const text = canonicalText(given ?? '');
  return text === '' ? [] : [`# ${heading}\n\n${text}\n`];
}

/** One byte order mark, line ends and blanks at ends of lines are how an editor saved it. */
function canonicalText(text: string): string {
  return text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/^\n+|\n+$/g, '')
    .normalize('NFC');
}
