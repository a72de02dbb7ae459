/** What may be to blame, as it is named and compared in a diagnosis. */
import type { Pattern, SettingSubject, Subject, SubjectOf } from '../facts/index.ts';
import { quotedName } from '../text/index.ts';
import { reachOf } from './reach.ts';
import type { Evidence, Failure, Setting } from './types.ts';
import { shown } from './wording.ts';

/** A value in the target's files, to be blamed for a failure. */
export function settingSubject(
  setting: Setting,
  failure: Failure,
  { settings, commit }: Pick<Evidence, 'settings' | 'commit'>,
): SettingSubject {
  const { file, line, path, value, unit } = setting;
  const reach = reachOf(setting, settings, failure);
  return { kind: 'setting', file, line, path: [...path], value, unit, commit, reach };
}

/** A text of the target that an agent is given. */
export function textSubject(
  { file, line }: { readonly file: string; readonly line: number },
  { agent }: Failure,
  { commit }: Pick<Evidence, 'commit'>,
): SubjectOf<'rule'> {
  const reach = { kind: 'unknown' as const, names: [], within: agent === '' ? null : agent };
  return { kind: 'rule', file, line, section: [file], commit, reach };
}

/** The fields that say where a subject is; the others say its value and whom it concerns. */
const PLACE_FIELDS = [
  ...['kind', 'file', 'line', 'path', 'section', 'workflow', 'step', 'tool', 'symbol', 'name'],
  'aim',
  'becomes',
  'renames',
];

/** The same for two causes that blame one place. */
export function subjectKey(subject: Subject): string {
  return JSON.stringify(subject, PLACE_FIELDS);
}

/** Whether it is a place in the target's files, so that a change of them may help. */
export function isInFiles(subject: Subject): boolean {
  return 'file' in subject && subject.file !== null;
}

/** Whether a person has to act, because nothing in the target's files is to blame; also where no cause is known. */
export function isToldOnly({ subject, kind }: Pick<Pattern, 'subject' | 'kind'>): boolean {
  return kind === 'shift' || !isInFiles(subject);
}

/** `tools.web_search.timeout_ms (agents/a.yaml:4)` */
export function placeName(path: readonly string[], file: string, line: number): string {
  return `${shown(path.join('.'), 120)} (${shown(file, 120)}:${line})`;
}

export function subjectName(subject: Subject): string {
  switch (subject.kind) {
    case 'setting':
      return placeName(subject.path, subject.file, subject.line);
    case 'rule':
      return placeName(subject.section, subject.file, subject.line);
    case 'step':
      return placeName([subject.workflow, subject.step], subject.file, subject.line);
    case 'code':
      return placeName([subject.symbol], subject.file, subject.line);
    case 'tool_contract':
      return `the contract of ${quotedName(subject.tool)}`;
    case 'service':
      return `the service behind ${quotedName(subject.name)}`;
    case 'unknown':
      return 'something unknown';
  }
}

const NOUNS: Readonly<Record<Subject['kind'], string>> = {
  setting: 'setting',
  rule: 'rule',
  step: 'step',
  tool_contract: 'tool contract',
  code: 'piece of code',
  service: 'service',
  unknown: 'cause',
};

/** `setting` where all of them are settings; else `cause`. */
export function subjectNoun(subjects: readonly Subject[]): string {
  const kinds = new Set(subjects.map(({ kind }) => kind));
  const [only] = kinds;
  return kinds.size === 1 ? NOUNS[only!] : 'cause';
}
