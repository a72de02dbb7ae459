/** Sets a number that failures run into: a timeout by what the latencies say, tries by how they fail, up or down. */
import type { Pattern, Risk, SettingSubject } from '../../../facts/index.ts';
import { signsOf } from '../../expected-signs.ts';
import { ownerText } from '../../reach-text.ts';
import { titleName } from '../../title-name.ts';
import type { Draft, Generator, ValueEdit } from '../../types.ts';
import { shown } from '../../wording.ts';
import { neededFailures, type Tuning, tuneConstant } from './tune-constant.ts';

/** A larger step does not count as small. */
const LOW_RISK_FACTOR = 2.5;

export const constantTune: Generator = {
  name: 'constant-tune',
  type: 'constant_tune',
  async propose(pattern, files) {
    const { subject } = pattern;
    if (subject.kind !== 'setting') return { drafts: [] };
    const tuned = tuneConstant(pattern, subject);
    if (tuned === undefined) return { drafts: [] };
    if ('declined' in tuned) return tuned;
    const edited = await files.setValue(subject, tuned.value);
    if ('declined' in edited) return edited;
    return { drafts: [draftOf(pattern, subject, tuned, edited)] };
  },
};

function draftOf(
  pattern: Pattern,
  setting: SettingSubject,
  tuning: Tuning,
  { edit, line, aliases, before, after }: ValueEdit,
): Draft {
  const { file, path, value: from, reach } = setting;
  const { value: to, factor, why } = tuning;
  return {
    title: titleOf(pattern, setting, {
      verb: pattern.trial !== undefined ? 'Try raising' : to > Number(from) ? 'Raise' : 'Lower',
      before,
      after,
    }),
    change: { kind: 'set_value', file, path, from, to },
    edits: [edit],
    risk: pattern.trial === undefined ? riskOf(tuning, aliases) : 'medium',
    reach,
    signs: signsOf(pattern, setting, to),
    ...(pattern.trial && { trial: { cutOffMs: pattern.trial.cutOffMs } }),
    failuresNeeded: neededFailures(factor),
    cause: `${shown(path.join('.'))} is ${shown(before, 40)} in ${shown(file)}:${line}`,
    why,
    harm: harmOf(pattern, setting, tuning, aliases),
  };
}

/** `Raise timeout_ms of web_search from 800 to 2000`, `… of every tool of researcher from …` */
function titleOf(
  pattern: Pattern,
  { reach, path }: SettingSubject,
  { verb, before, after }: { verb: string; before: string; after: string },
): string {
  const key = titleName(path.at(-1) ?? '', 'a value');
  return `${verb} ${key} of ${ownerText(reach, pattern)} from ${shown(before, 40)} to ${shown(after, 40)}`;
}

function riskOf({ factor, capped }: Tuning, aliases: number): Risk {
  return factor > LOW_RISK_FACTOR || capped || aliases > 0 ? 'medium' : 'low';
}

function harmOf(
  { kind }: Pattern,
  { value: from, limits }: SettingSubject,
  { factor, capped, value }: Tuning,
  aliases: number,
): string {
  const isUp = value > Number(from);
  const what = limits ?? (kind === 'timeout' ? 'time' : 'tries');
  const harm = HARM[what][isUp ? 'up' : 'down'];
  const times = Number(factor.toFixed(2));
  const step = isUp ? `The value grows ${times} times.` : `The value shrinks ${times} times.`;
  const more = capped ? ' More may be needed than is changed at once.' : '';
  const shared = aliases > 0 ? ` ${aliases} other places of the file use the same value.` : '';
  return `${harm} ${step}${more}${shared}`;
}

const HARM: Readonly<
  Record<NonNullable<SettingSubject['limits']>, Readonly<Record<'up' | 'down', string>>>
> = {
  time: {
    up: 'Calls that hang are given up later, so agents may wait longer.',
    down: 'Calls that would have ended just before the old limit are given up.',
  },
  tries: {
    up: 'Calls that cannot succeed are tried once more, which takes time and load.',
    down: 'Calls that a further try would have saved are lost.',
  },
  rate: {
    up: 'More calls reach whoever was spared by the limit.',
    down: 'Calls wait for their turn, so tasks take longer when there are many.',
  },
  calls: {
    up: 'More calls run at once, which loads whoever serves them.',
    down: 'Calls wait for their turn, so tasks take longer when there are many.',
  },
  tokens: {
    up: 'Longer texts take more time and cost more.',
    down: 'Texts that would have fitted are cut.',
  },
};
