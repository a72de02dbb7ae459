/**
 * Blames a name that a tool does not take: an argument that it calls otherwise now, or a tool that does not exist. It is told
 * what the files or the calls say and what the tool takes (`taken-names.ts`); the new name comes from there alone. What a message
 * names only shows which of them it is: messages are somebody else's text. An argument that the tool takes and the calls do not
 * give becomes a rule, where the agent's instructions are a text of the target. Where nothing has the new name, a person is
 * told where the old one stands.
 */
import type { RecentCall } from '../../../facts/index.ts';
import { isPlainName, quotedName } from '../../../text/index.ts';
import { courseOf } from '../../course.ts';
import { instructionsOf } from '../../instructions.ts';
import { messageShare } from '../../message-share.ts';
import { ownershipOf } from '../../ownership.ts';
import { placeName, settingSubject, textSubject } from '../../subjects.ts';
import type { Cause, Diagnoser, Evidence, Failure, Reason, Setting } from '../../types.ts';
import { percent, shown } from '../../wording.ts';
import { type NameGroup, nameGroups, withName, wordsIn } from './name-groups.ts';
import { type TakenNames, takenNames } from './taken-names.ts';

const ARGUMENT_WORDS =
  /(?:invalid|missing|unknown|unexpected|unrecogni[sz]ed|bad|required|extra|unsupported|no such)\b.{0,40}\b(?:argument|parameter|param|field|property|key|input|option|keyword)|(?:argument|parameter|param|field|property|key|input|option|keyword)s?\b.{0,80}\b(?:required|missing|unknown|unexpected|invalid|not (?:allowed|permitted|recogni[sz]ed|accepted)|deprecated|renamed|removed)|is (?:required|not allowed|unknown|unexpected)|schema/;
const TOOL_WORDS =
  /(?:no|unknown|undefined|missing|invalid|unsupported)\b.{0,20}\b(?:tool|function|method|action|command)|(?:tool|function|method|action|command)\b.{0,80}\b(?:not found|does not exist|unknown|not defined|not registered|unavailable|no longer)/;
/** What HTTP and JSON-RPC say of a request that cannot be served as it is, whatever the service. */
const CALL_WORDS =
  /\bbad request\b|\bunprocessable\b|\b(?:http|status)(?: code)?:? ?4(?:00|22)\b|^4(?:00|22)\b|-3260[02]\b/;
/** A name that is wrong is wrong in every call that has it. */
const NEARLY_ALL = 0.9;
const SURE = 0.95;
const TOLD = 0.85;

export const wrongCall: Diagnoser = {
  name: 'wrong-call',
  explain(failure, evidence) {
    const { event = 'tool_call', tool, kind } = failure;
    if (event !== 'tool_call' || tool === '' || kind !== 'other') return [];
    const aboutTool = messageShare(failure, TOOL_WORDS, 'say that there is no such tool');
    if (aboutTool !== undefined) return unknownTool(failure, evidence, aboutTool.reason);
    const aboutArguments = messageShare(
      failure,
      ARGUMENT_WORDS,
      'mention an argument that is wrong or missing',
    );
    return wrongArgument(failure, evidence, aboutArguments?.reason);
  },
};

/** Where no message speaks of arguments, only calls that differ from what the tool takes show it. */
function wrongArgument(failure: Failure, evidence: Evidence, said: Reason | undefined): Cause[] {
  if (shareNow(failure, evidence) < NEARLY_ALL) return [];
  const calls = evidence.calls?.get(failure.tool) ?? [];
  const used = argumentsOf(calls, failure);
  if (said === undefined && used.size === 0) return [];
  const refused = messageShare(failure, CALL_WORDS, 'say that the request itself is wrong');
  const seen: Seen = {
    named: wordsIn(failure.examples.map(({ message }) => message)),
    failing:
      said !== undefined || (refused !== undefined && used.size > 0)
        ? sinceItBegan(calls, failure, evidence)
        : undefined,
  };
  const { named } = seen;
  const groups = nameGroups(evidence.settings);
  const lists = groups.filter((group) => isOwnList(group, { failure, used, named }));
  const reasons = [said ?? refused?.reason, sinceReason(failure, evidence)].flatMap(
    (one) => one ?? [],
  );
  const asked = { failure, used, named, evidence, reasons };
  const corrected = lists.flatMap((list) =>
    renamesOf(list.names, takenNames(failure.tool, { groups, calls, not: list }), seen).map(
      (rename) => listCause(list, rename, asked),
    ),
  );
  if (corrected.length > 0) return evenly(corrected);
  const inText =
    lists.length > 0
      ? []
      : renamesOf(used, takenNames(failure.tool, { groups, calls }), seen).flatMap((rename) =>
          textCause(rename, asked),
        );
  if (inText.length > 0) return evenly(inText);
  if (said === undefined) return [];
  if (lists.length === 0) {
    const taken = takenNames(failure.tool, { groups, calls });
    const missing = missingIn(used, taken, named).flatMap((one) => missingCause(one, asked));
    if (missing.length > 0) return evenly(missing);
  }
  const [list] = lists;
  const where = list?.settings[0];
  const place =
    list === undefined || where === undefined
      ? 'the call'
      : placeName(
          where.path.slice(0, where.path.lastIndexOf(list.key) + 1),
          where.file,
          where.line,
        );
  const text = `${quotedName(failure.tool)} takes other arguments than those that ${quotedName(failure.agent)} gives it, and neither a schema in the target's files nor a definition in telemetry names them: somebody has to look up the tool's arguments and to correct ${place}.`;
  return [told(failure, [...reasons, { text, events: [] }])];
}

/** Of several only one can be right. The same in a copy of a file is not another one: which is read is another question. */
function evenly(causes: readonly Cause[]): Cause[] {
  const different = new Set(causes.map(({ subject }) => correctionOf(subject)));
  return causes.map((cause) => ({ ...cause, confidence: cause.confidence / different.size }));
}

const correctionOf = (subject: Cause['subject']) =>
  subject.kind === 'setting'
    ? JSON.stringify([subject.path, subject.value, subject.becomes?.value])
    : JSON.stringify(subject);

/** Calls of before worked with the name that is wrong now. */
function sinceItBegan(
  calls: readonly RecentCall[],
  { history, agent, errorCode }: Failure,
  { failureShare }: Evidence,
): readonly RecentCall[] {
  const { episode } = courseOf(history, failureShare);
  const first = calls.find((call) => call.agent === agent && call.failedWith === errorCode);
  const sinceMs = episode?.fromHighMs ?? first?.startMs ?? Infinity;
  return calls.filter(({ startMs }) => startMs >= sinceMs);
}

/** What the failing calls were made with, where telemetry says it. */
function argumentsOf(calls: readonly RecentCall[], { agent, errorCode }: Failure): Set<string> {
  return new Set(
    calls
      .filter((call) => call.agent === agent && call.failedWith === errorCode)
      .flatMap((call) => call.argumentNames ?? []),
  );
}

interface Asked {
  readonly failure: Failure;
  readonly used: ReadonlySet<string>;
  readonly named: ReadonlySet<string>;
}

/** The list of arguments that this agent gives: as the calls have them; else one of its own for this tool, or with a name that messages name. */
function isOwnList(
  { isList, names, settings }: NameGroup,
  { failure, used, named }: Asked,
): boolean {
  if (!isList) return false;
  const owner = ownershipOf(settings[0]!, failure.agent, failure.tool);
  if (owner !== 'agent' && owner !== 'both') return false;
  if (used.size > 0) return used.size === names.size && [...names].every((name) => used.has(name));
  return owner === 'both' || [...names].some((name) => named.has(name));
}

interface Rename {
  readonly old: string;
  readonly next: string;
  readonly beside: readonly string[];
  /** Where the new name comes from. */
  readonly from: string;
}

interface Seen {
  /** Words of the messages. */
  readonly named: ReadonlySet<string>;
  /** The tool's calls since it began, where it calls the request or its arguments wrong: then no call works with the wrong name. */
  readonly failing: readonly RecentCall[] | undefined;
}

const isAmong = (name: string, calls: readonly RecentCall[]) =>
  calls.some(
    ({ failedWith, argumentNames = [] }) => failedWith === null && argumentNames.includes(name),
  );

/** What was given and is not taken, and what is taken in its place; each pair once. */
function renamesOf(
  given: ReadonlySet<string>,
  taken: readonly TakenNames[],
  { named, failing }: Seen,
): Rename[] {
  const found = new Map<string, Rename>();
  for (const { names, from, isSure } of taken) {
    const gone = [...given].filter((name) => !names.has(name));
    const others = [...names].filter((name) => !given.has(name));
    // With more than one on either side only the messages can tell which of them it is.
    const old = only(gone, named);
    const next = only(others, named);
    // Names that stay show that both are of the same call. Where there is only one, its place has to say that it is an argument.
    const isJoined = gone.length < given.size || (given.size === 1 && isSure);
    if (old === undefined || next === undefined || !isJoined) continue;
    const isNamed = named.has(old) || named.has(next);
    if (!isNamed && (failing === undefined || isAmong(old, failing))) continue;
    const pair = `${old}\n${next}`;
    const beside = [...given].filter((name) => name !== old);
    if (!found.has(pair)) found.set(pair, { old, next, beside, from });
  }
  return [...found.values()];
}

interface Corrected extends Asked {
  readonly evidence: Evidence;
  readonly reasons: readonly Reason[];
}

const whyOf = ({ old, next, from }: Rename) =>
  `${from} has ${quotedName(next)} where the agent gives ${quotedName(old)}.`;

function listCause(
  list: NameGroup,
  rename: Rename,
  { failure, evidence, reasons }: Corrected,
): Cause {
  const setting = list.settings.find(({ value }) => withName(value, rename) !== undefined)!;
  const value = withName(setting.value, rename)!;
  const why = whyOf(rename);
  const has = value === rename.next ? 'is' : 'has';
  const text = `${placeName(setting.path, setting.file, setting.line)} ${has} ${quotedName(rename.old)}. ${why}`;
  return {
    subject: {
      ...settingSubject(setting, failure, evidence),
      becomes: { value, why },
    },
    layer: 'tool',
    confidence: SURE,
    reasons: [{ text, events: failure.examples.map(({ id }) => id) }, ...reasons],
    against: [],
  };
}

/** No list of the files has the arguments that are given: then the agent is told them in its own text. */
function textCause(rename: Rename, { failure, evidence, reasons }: Corrected): Cause[] {
  const file = instructionsOf(failure.agent, evidence);
  if (file === undefined) return [];
  const { old: from, next: to, beside } = rename;
  const why = whyOf(rename);
  return [
    {
      subject: {
        ...textSubject({ file, line: 1 }, failure, evidence),
        renames: { from, to, beside: [...beside], why },
      },
      layer: 'skill',
      confidence: SURE,
      reasons: [
        {
          text: `${shown(file, 120)} tells ${quotedName(failure.agent)} what to do, and no list in the target's files has these arguments. ${why}`,
          events: failure.examples.map(({ id }) => id),
        },
        ...reasons,
      ],
      against: [],
    },
  ];
}

interface Missing {
  readonly name: string;
  /** Where it comes from. */
  readonly from: string;
}

/** What messages name, the tool takes and the calls do not give, beside arguments that are all right; each name once. */
function missingIn(
  used: ReadonlySet<string>,
  taken: readonly TakenNames[],
  named: ReadonlySet<string>,
): Missing[] {
  const found = new Map<string, Missing>();
  for (const { names, from } of taken) {
    if ([...used].some((name) => !names.has(name))) continue;
    const lacking = [...names].filter((name) => !used.has(name) && named.has(name));
    const [name] = lacking;
    if (lacking.length === 1 && !found.has(name!)) found.set(name!, { name: name!, from });
  }
  return [...found.values()];
}

/** No list of the files has the arguments: then the agent has to be told of the one that it forgets. */
function missingCause({ name, from }: Missing, { failure, evidence, reasons }: Corrected): Cause[] {
  const file = instructionsOf(failure.agent, evidence);
  if (file === undefined || !isPlainName(name) || !isPlainName(failure.tool)) return [];
  const text = `${from} has ${quotedName(name)}, and the calls that fail do not give it. ${shown(file, 120)} tells ${quotedName(failure.agent)} what to do.`;
  return [
    {
      subject: {
        ...textSubject({ file, line: 1 }, failure, evidence),
        adds: { rule: 'give_argument', names: [failure.tool, name] },
      },
      layer: 'skill',
      confidence: SURE,
      reasons: [{ text, events: failure.examples.map(({ id }) => id) }, ...reasons],
      against: [],
    },
  ];
}

/** The one of them; of several the one that messages name. */
function only(names: readonly string[], named: ReadonlySet<string>): string | undefined {
  if (names.length === 1) return names[0];
  const said = names.filter((name) => named.has(name));
  return said.length === 1 ? said[0] : undefined;
}

function unknownTool(failure: Failure, evidence: Evidence, said: Reason): Cause[] {
  const { tool, agent } = failure;
  if (shareNow(failure, evidence) < NEARLY_ALL) return [];
  const places = evidence.settings.filter(
    (one) => one.value === tool && ownershipOf(one, agent, toolAt(one)) !== 'none',
  );
  const [place] = places;
  const right = place && rightName(place, failure, evidence);
  if (places.length === 1 && right !== undefined) {
    const { name, why } = right;
    const { path, file, line } = place!;
    return [
      {
        subject: { ...settingSubject(place!, failure, evidence), becomes: { value: name, why } },
        layer: 'tool',
        confidence: SURE,
        reasons: [{ text: `${placeName(path, file, line)} names it. ${why}`, events: [] }, said],
        against: [],
      },
    ];
  }
  const where = places.slice(0, 3).map(({ path, file, line }) => placeName(path, file, line));
  const text = `${quotedName(agent)} calls a tool that does not exist (any more): somebody has to name the right one${where.length === 0 ? '' : ` at ${where.join(', ')}`}, or to provide it.`;
  return [told(failure, [said, { text, events: [] }])];
}

/** What stood there before a commit wrote the wrong name; else the one tool of the files that is called alike. */
function rightName(
  { file, path }: Setting,
  { tool }: Failure,
  evidence: Evidence,
): { readonly name: string; readonly why: string } | undefined {
  const edit = evidence.edits?.findLast(
    (one) =>
      one.kind === 'value' &&
      one.file === file &&
      one.path.join('\n') === path.join('\n') &&
      one.after === tool,
  );
  if (edit?.kind === 'value' && typeof edit.before === 'string')
    return {
      name: edit.before,
      why: `There is no ${quotedName(tool)}; before the commit ${edit.commit.slice(0, 12)} it was ${quotedName(edit.before)}.`,
    };
  const [name, ...others] = knownTools(evidence, tool).filter((one) => isAlike(one, tool));
  if (name === undefined || others.length > 0) return undefined;
  const why = `There is no ${quotedName(tool)}; the target's files know ${quotedName(name)}.`;
  return { name, why };
}

/** The name below `tools` on the way to a setting; empty where there is none. */
function toolAt({ steps }: Setting): string {
  const at = steps.findIndex(({ key }) => TOOLS.test(key));
  const next = at < 0 ? undefined : steps[at + 1];
  if (next === undefined) return '';
  return /^\d+$/.test(next.key) ? (next.name ?? '') : next.key;
}

const TOOLS = /^(?:tools?|functions?|actions?)$/i;

/** As the files of all agents have them. */
function knownTools({ settings }: Evidence, wrong: string): string[] {
  const names = new Set(settings.map(toolAt));
  return [...names].filter((name) => name !== '' && name !== wrong);
}

/** One is the other with something added, or they differ in a letter or two. */
function isAlike(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short.length < 4) return false;
  const isWithin =
    (long.startsWith(short) || long.endsWith(short)) && long.length <= 2 * short.length;
  return isWithin || (short.length >= 6 && distance(one, other) <= 2);
}

function distance(one: string, other: string): number {
  if (one.length > 100 || other.length > 100) return 100;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++)
      next.push(
        Math.min(
          row[j]! + 1,
          next[j - 1]! + 1,
          row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[other.length]!;
}

/** Since it began, or in all of the record. */
function shareNow(failure: Failure, { failureShare }: Evidence): number {
  const { kind, during } = courseOf(failure.history, failureShare);
  return kind === 'began' ? during : failure.failures / Math.max(1, failure.calls);
}

function sinceReason(failure: Failure, { failureShare }: Evidence): Reason | undefined {
  const { kind, during } = courseOf(failure.history, failureShare);
  if (kind !== 'began') return undefined;
  return { text: `Since it began ${percent(during)} of the calls fail so.`, events: [] };
}

function told(failure: Failure, reasons: readonly Reason[]): Cause {
  return {
    subject: {
      kind: 'tool_contract',
      tool: failure.tool.slice(0, 400),
      file: null,
      line: null,
      commit: null,
    },
    layer: 'tool',
    confidence: TOLD,
    reasons,
    against: [],
  };
}
