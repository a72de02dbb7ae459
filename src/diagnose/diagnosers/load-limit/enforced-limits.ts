/**
 * Which value of the target's own files is the limit that refuses calls: an own gateway's quota, an own broker's places. The
 * recorded calls say how much is let through; a value that says the same is a candidate, whatever it is called. A number matches by
 * chance now and then, and most quotas are a provider's, so that it also needs a place or a word that speaks for it. Evidence is in
 * nats, as for limits on time (`time-limit.ts`). Pure.
 */
import type { LoadLimit } from '../../load-limit.ts';
import { type Ownership, ownershipOf } from '../../ownership.ts';
import { saidNats } from '../../said-names.ts';
import { settingOwner } from '../../setting-owner.ts';
import type { Evidence, Failure, Setting } from '../../types.ts';
import { wordsOf } from '../../wording.ts';
import { countsOf } from './own-limits.ts';

export interface EnforcedLimit {
  readonly setting: Setting & { readonly value: number };
  /** Units of the setting in one call a minute, or in one place. */
  readonly units: number;
  /** How likely it is that limit, 0 to 1. */
  readonly share: number;
}

/** Rates: a limit of the target's own, and somebody else's, which nothing in the files can move. */
const OWN_PRIOR = 0.05;
const OTHERS_PRIOR = 0.25;
/** A number of no meaning is where a limit is in one of fifty cases, because both are round; and never less than one of ten is believed. */
const CHANCE_EACH = 0.02;
const CHANCE_MIN = 0.1;
/** Within this of it, or of what the calls leave possible. */
const NEAR = 1.05;
/** A key that does not say that it counts by the second or the hour rarely does. */
const OTHER_TIME = -1.6;
const SAYS_SO = 1.6;
const SAYS_ANOTHER = -2.3;
/** What is a tenth as likely as the best is not thought of. */
const FAR = 2.3;
/** The more that are about as likely, the likelier is each by chance. */
const EQUAL = Math.log(3);
const WHERE: Readonly<Record<Ownership, number>> = {
  none: Number.NEGATIVE_INFINITY,
  anyone: 0,
  // Whoever refuses is not the one who calls: what stands in the caller's own file is rarely enforced.
  agent: -1.6,
  tool: 1.6,
  both: -1.6,
};

/**
 * The likeliest first. `refused`: the agents and the tools whose calls the limit refuses; `asked`: the most calls at once, or in a
 * minute, that were asked for; `sinceMs`: when the first of the calls was made.
 */
export function enforcedLimits(
  limit: LoadLimit,
  failure: Failure,
  evidence: Pick<Evidence, 'all' | 'settings' | 'words' | 'commits'> & {
    readonly refused: { readonly agents: readonly string[]; readonly tools: readonly string[] };
    readonly asked: number;
    readonly sinceMs: number;
  },
): EnforcedLimit[] {
  const changed = new Set(
    evidence.commits.flatMap(({ atMs, paths }) => (atMs > evidence.sinceMs ? paths : [])),
  );
  const { agents, tools } = evidence.refused;
  const shared = sharedWords(tools, evidence.all);
  const possible = evidence.settings.flatMap((setting) => {
    if (!isCount(setting) || isOfSome(setting, failure, agents)) return [];
    // That a place is called like the agent makes it no caller's own.
    const { like = [], ...called } = setting;
    const alone = settingOwner(called, failure, evidence);
    const isOfTool = like.includes(failure.tool) || isNamedBy(setting, shared);
    const owner = alone === 'anyone' && isOfTool ? 'tool' : alone;
    // A caller that was slowed down since to what a tool takes has that very number now, and refused none of those calls.
    const isCallers = owner === 'agent' || owner === 'both';
    return owner === 'none' || (isCallers && changed.has(setting.file)) ? [] : [{ setting, owner }];
  });
  const matches = matchNats(
    possible.flatMap(({ setting }) => (isMet(setting, limit, evidence.asked) ? [setting] : [])),
  );
  const scored = possible.flatMap(({ setting, owner }) => {
    const found = scoreOf(setting, limit, matches);
    if (found === undefined) return [];
    const said = saidNats(setting, failure, evidence.settings);
    return [{ ...found, score: found.score + WHERE[owner] + said }];
  });
  const best = Math.max(...scored.map(({ score }) => score));
  const likely = scored.filter(({ score }) => score > best - FAR);
  const equals = likely.filter(({ score }) => score > best - EQUAL).length;
  const weight = (score: number) => (OWN_PRIOR / equals) * Math.exp(score);
  const all = likely.reduce((sum, { score }) => sum + weight(score), OTHERS_PRIOR);
  return likely
    .map(({ setting, units, score }) => ({ setting, units, share: weight(score) / all }))
    .sort((a, b) => b.share - a.share);
}

/** A limit beyond all that was asked for refuses nothing, so that such a number cannot be it by chance either. */
function isMet(setting: Setting, { kind }: LoadLimit, asked: number): boolean {
  const units = kind === 'rate' ? (countsOf(setting)?.unitsPerMinute ?? 1) : 1;
  return (setting.value as number) / units <= asked * NEAR;
}

/** Words that all tools have in common that are refused together, and no other tool has: what stands before them is called so. */
function sharedWords(tools: readonly string[], all: readonly Failure[]): readonly string[] {
  if (tools.length < 2) return [];
  const [first, ...rest] = tools.map(wordsOf);
  const others = new Set(all.flatMap(({ tool }) => (tools.includes(tool) ? [] : wordsOf(tool))));
  return first!.filter((word) => !others.has(word) && rest.every((words) => words.includes(word)));
}

function isNamedBy({ file, path }: Setting, shared: readonly string[]): boolean {
  const words = new Set([file, ...path].flatMap(wordsOf));
  return shared.some((word) => words.has(word));
}

/** Whether it is some agents' own and not the others': what refuses all of them together is not one's. */
function isOfSome(setting: Setting, { tool }: Failure, refused: readonly string[]): boolean {
  const own = refused.filter((agent) =>
    ['agent', 'both'].includes(ownershipOf(setting, agent, tool)),
  );
  return own.length > 0 && own.length < refused.length;
}

interface Scored {
  readonly setting: EnforcedLimit['setting'];
  readonly units: number;
  readonly score: number;
}

/** A number that may count calls: `45s` is a time; `per_second` is not. */
function isCount(setting: Setting): boolean {
  const { value, unit } = setting;
  return (
    typeof value === 'number' && value >= 1 && (unit === null || countsOf(setting) !== undefined)
  );
}

/**
 * What it is worth that a value is the limit: the more numbers could be, the likelier one is so by chance. Those of other tools
 * and agents, those that nothing that was asked for reaches, and those whose keys say that they count something else, could not.
 */
function matchNats(settings: readonly Setting[]): number {
  const numbers = new Set(
    settings.flatMap((setting) =>
      saysAnother(setting) ? [] : [`${setting.start} ${setting.file}`],
    ),
  );
  return -Math.log(Math.min(1, Math.max(CHANCE_MIN, CHANCE_EACH * numbers.size)));
}

function scoreOf(setting: Setting, limit: LoadLimit, matches: number): Scored | undefined {
  const value = setting.value as number;
  const said = countsOf(setting);
  const wanted = limit.kind === 'slots' ? 'at once' : 'a minute';
  const words =
    said === undefined
      ? saysAnother(setting)
        ? SAYS_ANOTHER
        : 0
      : said.counts === wanted
        ? SAYS_SO
        : SAYS_ANOTHER;
  const own = { setting: setting as EnforcedLimit['setting'] };
  if (limit.kind === 'slots') {
    if (!isBetween(value, limit.capacity, limit.capacity)) return undefined;
    // Small numbers are everywhere.
    return { ...own, units: 1, score: Math.min(matches, Math.log(value + 2)) + words };
  }
  const times = said?.counts === 'a minute' ? [said.unitsPerMinute] : [1, 1 / 60, 60];
  const units = times.find((one) =>
    isBetween(value / one, limit.lowPerMinute, limit.highPerMinute),
  );
  if (units === undefined) return undefined;
  const time = units === 1 || said !== undefined ? 0 : OTHER_TIME;
  return { ...own, units, score: matches + words + time };
}

const isBetween = (value: number, low: number, high: number) =>
  value >= low / NEAR && value <= high * NEAR;

/** Words of settings that count something else than calls. */
const OTHER_THINGS =
  /^(?:retry|retries|attempts?|tries|tokens?|timeouts?|ms|delay|backoff|days|price|cost|bytes|kb|mb|port|version|temperature)$/;

const saysAnother = ({ path }: Setting) =>
  wordsOf(path.at(-1) ?? '').some((word) => OTHER_THINGS.test(word));
