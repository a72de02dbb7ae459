/**
 * Blames a limit on the length of answers or inputs: by the sizes of the calls where telemetry tells them (`size-step.ts`),
 * else by messages that name the very number of a setting that counts lengths. The new limit comes from the sizes.
 */
import { type Ownership, ofNearestOwner, ownershipOf } from '../../ownership.ts';
import { type SizeStep, sizeStepOf } from '../../size-step.ts';
import { placeName, settingSubject } from '../../subjects.ts';
import {
  CAUSES_MAX,
  type Cause,
  type Diagnoser,
  type Evidence,
  type Failure,
  type Reason,
  type Setting,
} from '../../types.ts';
import { count, wordsOf } from '../../wording.ts';
import { isNear, quantitiesIn } from '../setting-limit/quantities.ts';

const LENGTH_WORDS =
  /^(?:tokens?|length|len|size|chars|characters|context|output|answer|completion|input|prompt|limit|cap|max|maximum|window)$/;
const OTHER_WORDS =
  /^(?:retry|retries|attempts?|tries|timeouts?|ms|seconds?|minutes?|rate|rpm|rps|qps|concurrency|steps?|days|port|workers?|parallel)$/;
const SAID =
  /cut|truncat|too long|too large|too big|exceed|over the limit|max(?:imum)?[ _](?:tokens|length|output)|length|context|tokens/;
const SURE: Readonly<Record<Ownership, number>> = {
  none: 0,
  anyone: 0.7,
  agent: 0.9,
  tool: 0.9,
  both: 0.95,
};
/**
 * A number of nobody in particular, at the very size where answers are cut: how likely is it there by chance? One number of no
 * meaning is within 1 % of a given size in two of a thousand cases (log-uniform over four decades); numbers that people
 * write are round, and so are limits, so ten times that is assumed, and never less than one of ten.
 */
const CHANCE_EACH = 0.02;
const CHANCE_MIN = 0.1;
/** So often the very same number: ids, and the sizes of what was sent, differ from message to message. */
const NAMING_MIN = 3;
/** A number in a message is weaker than the sizes themselves. */
const BY_MESSAGE = 0.9;
/** Its key says nothing of lengths. */
const WITHOUT_WORDS = 0.9;
const STEP_MIN = 1.25;
const STEP_MAX = 4;

type NumberSetting = Setting & { readonly value: number };

export const sizeLimit: Diagnoser = {
  name: 'size-limit',
  explain(failure, evidence) {
    const { event = 'tool_call', tool, kind } = failure;
    if (event !== 'tool_call' || tool === '' || kind === 'timeout' || kind === 'rate_limit')
      return [];
    const step = sizeStepOf(failure, evidence);
    return step === undefined ? byMessages(failure, evidence) : bySizes(failure, evidence, step);
  },
};

function bySizes(failure: Failure, evidence: Evidence, step: SizeStep): Cause[] {
  const fits = ({ value }: NumberSetting) => value >= step.fromTokens && value <= step.toTokens;
  // A wide range holds many numbers: there the key's words tell, or that no other number of the agent's or tool's own fits.
  const isWide = step.toTokens > 1.05 * step.fromTokens;
  const found = nearest(failure, evidence, (one) => fits(one) && lengthWords(one) !== 'others');
  const worded = found.filter((one) => lengthWords(one) === 'fits');
  const alone = found.length === 1 && isOwned(found[0]!, failure) ? found : [];
  const what = step.of === 'output' ? 'answers' : 'inputs';
  const text =
    step.of === 'output'
      ? `${count(step.failed)} answers that failed end at about ${count(Math.round((step.fromTokens + step.toTokens) / 2))} tokens, and hardly any that succeed is longer: they are cut there.`
      : `${count(step.failed)} inputs that were refused have ${count(Math.round(step.toTokens))} tokens or more, and all that pass have fewer.`;
  const seen: Reason = { text, events: failure.examples.map(({ id }) => id) };
  const settings = worded.length > 0 ? worded : isWide ? alone : found;
  if (settings.length === 0)
    return [
      {
        subject: { kind: 'service', name: failure.tool },
        layer: 'tool',
        confidence: 0.75,
        reasons: [
          seen,
          {
            text: `No setting of the target has that limit: somebody has to shorten the ${what}, or to ask for a larger one.`,
            events: [],
          },
        ],
        against: [],
      },
    ];
  return settings.slice(0, CAUSES_MAX).map((setting) => {
    const wanted = Math.min(
      STEP_MAX * setting.value,
      Math.max(STEP_MIN * setting.value, step.neededTokens),
    );
    const why = `By the sizes of the ${what}, about ${count(Math.round(step.neededTokens))} tokens are enough for 99.5 % of them.`;
    return causeOf(setting, {
      failure,
      evidence,
      reasons: [seen],
      aim: { value: wanted, why },
      weight: isWide && worded.length === 0 ? WITHOUT_WORDS : 1,
      ...(isWide ? {} : { unowned: sureOfNobodys(evidence) }),
    });
  });
}

function byMessages(failure: Failure, evidence: Evidence): Cause[] {
  const { examples, kind } = failure;
  const said = examples.filter(({ message }) => SAID.test(message.slice(0, 2000).toLowerCase()));
  if (examples.length === 0 || said.length * 2 < examples.length) return [];
  const numbers = said.map(({ message }) =>
    quantitiesIn(message, kind === 'size_limit' ? kind : 'other'),
  );
  const naming = ({ value }: NumberSetting) =>
    said.filter((_, at) => numbers[at]!.some((one) => isNear(one.value, value)));
  const numbered = numbers.filter((each) => each.length > 0).length;
  // What names no number at all does not speak for another one.
  const isAgreed = (naming: number) =>
    2 * naming >= said.length || (naming >= NAMING_MIN && 2 * naming >= numbered);
  const named = nearest(
    failure,
    evidence,
    (one) => lengthWords(one) !== 'others' && isAgreed(naming(one).length),
  );
  const worded = named.filter((one) => lengthWords(one) === 'fits');
  // The very number, in a place of the agent's or tool's own, needs no word.
  const found = worded.length > 0 ? worded : named.filter((one) => isOwned(one, failure));
  const words = worded.length > 0 ? 1 : WITHOUT_WORDS;
  return found.slice(0, CAUSES_MAX).map((setting) => {
    const events = naming(setting).map(({ id }) => id);
    const text = `${count(events.length)} of ${examples.length} messages say that ${count(setting.value)} was exceeded.`;
    const aim = {
      value: 2 * setting.value,
      why: 'How long they would be is not told, so it is doubled.',
    };
    return causeOf(setting, {
      failure,
      evidence,
      reasons: [{ text, events }],
      aim,
      weight: BY_MESSAGE * words * (said.length / examples.length),
    });
  });
}

function causeOf(
  setting: NumberSetting,
  {
    failure,
    evidence,
    reasons,
    aim,
    weight,
    unowned = SURE.anyone,
  }: {
    failure: Failure;
    evidence: Evidence;
    reasons: readonly Reason[];
    aim: { value: number; why: string };
    weight: number;
    /** How sure it is of a setting of nobody in particular. */
    unowned?: number;
  },
): Cause {
  const { path, file, line, value } = setting;
  const owner = ownershipOf(setting, failure.agent, failure.tool);
  return {
    subject: { ...settingSubject(setting, failure, evidence), limits: 'tokens', aim },
    layer: 'settings',
    confidence: weight * (owner === 'anyone' ? unowned : SURE[owner]),
    reasons: [{ text: `${placeName(path, file, line)} is ${value}.`, events: [] }, ...reasons],
    against: [],
  };
}

/** The fewer numbers the files have, the less likely one is there by chance. */
function sureOfNobodys({ settings }: Evidence): number {
  const numbers = new Set(
    settings.flatMap(({ value, unit, start, file }) =>
      typeof value === 'number' && unit === null ? [`${start} ${file}`] : [],
    ),
  );
  return Math.min(SURE.agent, 1 / (1 + Math.max(CHANCE_MIN, CHANCE_EACH * numbers.size)));
}

/** Those of the nearest owner that has any; each place once. */
function nearest(
  failure: Failure,
  { settings }: Evidence,
  isIt: (one: NumberSetting) => boolean,
): NumberSetting[] {
  const found = settings.filter(
    (one): one is NumberSetting =>
      typeof one.value === 'number' &&
      one.value > 0 &&
      one.unit === null &&
      isIt(one as NumberSetting),
  );
  const owned = ofNearestOwner(
    found.map((setting) => ({ setting })),
    failure,
    'anyone',
  );
  const places = new Map(owned.map(({ setting }) => [`${setting.start} ${setting.file}`, setting]));
  return [...places.values()];
}

function isOwned(setting: Setting, { agent, tool }: Failure): boolean {
  return !['none', 'anyone'].includes(ownershipOf(setting, agent, tool));
}

function lengthWords({ path }: Setting): 'fits' | 'nothing' | 'others' {
  const words = path.slice(-2).flatMap(wordsOf);
  if (words.some((word) => OTHER_WORDS.test(word))) return 'others';
  return words.some((word) => LENGTH_WORDS.test(word)) ? 'fits' : 'nothing';
}
