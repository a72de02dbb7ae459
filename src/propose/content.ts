/** What a proposal says: every part of it, with the numbers it rests on. Pure. */
import { isoTime, sha256Hex } from '../base/index.ts';
import type { Actor, Pattern, ProposalContent, Risk, SettingRef } from '../facts/index.ts';
import { mask } from '../sanitise/index.ts';
import { quotedName } from '../text/index.ts';
import { leastRisk, ownerText, reachText } from './reach-text.ts';
import { titleName } from './title-name.ts';
import type { Tuning } from './types.ts';
import { count, percent, shown } from './wording.ts';

/** A larger step is no longer a small one. */
const LOW_RISK_FACTOR = 2.5;
const CHANGE_CHARS_MAX = 400;

/** `agents/a.yaml#tools.web_search.timeout_ms up`: the same for the same fix, whatever the numbers. */
export function changeKey({ file, path, value }: SettingRef, next: number): string {
  const place = `${file}#${path.map(keyText).join('.')}`;
  return `${short(place)} ${next > value ? 'up' : 'down'}`;
}

/** Whether two changes are about one value, in whatever direction. */
export function isSamePlace(one: string, other: string): boolean {
  const place = (change: string) => change.slice(0, change.lastIndexOf(' '));
  return place(one) === place(other);
}

/** Quoted where a dot or a sign would make it another path. */
function keyText(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** Too long to be kept whole, or with a secret in it, it stays unique by its hash. */
function short(place: string): string {
  const plain = shown(mask(place).text, CHANGE_CHARS_MAX);
  if (plain === place) return place;
  return `${plain.slice(0, CHANGE_CHARS_MAX - 20)} ${sha256Hex(place).slice(0, 16)}`;
}

export interface ContentInput {
  readonly pattern: Pattern;
  /** Where it stands at the base commit. */
  readonly setting: SettingRef;
  readonly tuning: Tuning;
  readonly change: string;
  /** Other places of the file that use the same value. */
  readonly aliases: number;
  readonly diff: ProposalContent['diff'];
  readonly baseCommit: string;
  readonly proposer: Actor;
}

export function contentOf(input: ContentInput): ProposalContent {
  const { pattern, setting, tuning, change, diff, baseCommit, proposer } = input;
  return {
    title: titleOf(input),
    type: 'constant_tune',
    category: 'bugfix',
    severity: pattern.severity,
    risk: riskOf(input),
    diff,
    baseCommit,
    files: [setting.file],
    change,
    reach: setting.reach,
    rationale: rationaleOf(pattern, tuning),
    rootCause: rootCauseOf(pattern, setting),
    riskAndMitigation: riskTextOf(input),
    rollback: rollbackOf(setting),
    validationPlan: planOf(input),
    evidence: [...pattern.evidence],
    pattern: pattern.id,
    proposer,
  };
}

/** `Raise timeout_ms of web_search from 800 to 2000`, `… of every tool of researcher from …` */
function titleOf({ pattern, setting, tuning }: ContentInput): string {
  const verb = tuning.value > setting.value ? 'Raise' : 'Lower';
  const owner = ownerText(setting.reach, pattern);
  const key = titleName(setting.path.at(-1) ?? '', 'a value');
  return shown(`${verb} ${key} of ${owner} from ${setting.value} to ${tuning.value}`, 120);
}

function riskOf({ setting, tuning, aliases }: ContentInput): Risk {
  const least = leastRisk(setting.reach);
  if (least !== 'low') return least;
  return tuning.factor > LOW_RISK_FACTOR || tuning.capped || aliases > 0 ? 'medium' : 'low';
}

const DID: Readonly<Record<Pattern['kind'], string>> = {
  timeout: 'timed out',
  rate_limit: 'ran into a rate limit',
  size_limit: 'exceeded a size limit',
  retries_exhausted: 'ran out of retries',
  other: 'failed',
};

function placeOf({ agent, tool }: Pattern): string {
  return tool === '' ? quotedName(agent) : `${quotedName(tool)} by ${quotedName(agent)}`;
}

function rationaleOf(pattern: Pattern, { why }: Tuning): string {
  const { occurrences, calls, sessions, firstAtMs, lastAtMs, kind } = pattern;
  const share = percent(calls === 0 ? 0 : occurrences / calls);
  return [
    `${count(occurrences)} of ${count(calls)} calls (${share}) of ${placeOf(pattern)} ${DID[kind]},`,
    `in ${count(sessions)} sessions, between ${isoTime(firstAtMs)} and ${isoTime(lastAtMs)}. ${why}`,
  ].join(' ');
}

function rootCauseOf({ layer, confidence, reasons }: Pattern, setting: SettingRef): string {
  const where = `${shown(setting.file)}:${setting.line}`;
  const place = `${shown(setting.path.join('.'))} is ${setting.value} in ${where}`;
  const because = reasons.map((reason) => shown(reason, 1000)).join(' ');
  return `${place} (layer ${layer}, ${percent(confidence)} sure). ${because}`;
}

function riskTextOf({ pattern, setting, tuning, aliases }: ContentInput): string {
  const harm =
    pattern.kind === 'timeout'
      ? 'Calls that hang are given up later, so agents may wait longer.'
      : 'Calls that cannot succeed are tried once more, which takes time and load.';
  const capped = tuning.capped ? ' More may be needed than is changed at once.' : '';
  const shared = aliases > 0 ? ` ${aliases} other places of the file use the same value.` : '';
  const step = `The value grows ${Number(tuning.factor.toFixed(2))} times.`;
  return `${harm} ${step}${capped}${shared} It is one value in one file, ${reachText(setting.reach, pattern)}. After the deployment the failures are watched, and it is taken back when they grow.`;
}

function rollbackOf({ value }: SettingRef): string {
  return `Run git revert with the commit that deploys it; the value is ${value} again. Hone reverts it by itself if the failures of this agent grow while it is watched.`;
}

function planOf({ pattern, setting, tuning }: ContentInput): string {
  const share = percent(pattern.calls === 0 ? 0 : pattern.occurrences / pattern.calls);
  return [
    `The patch applies to the base commit, ${shown(setting.file)} is sound, and only this value differs.`,
    `Sessions that were recorded are replayed with ${tuning.value} where the target can replay them.`,
    `After the deployment the failures of ${placeOf(pattern)} are compared with the ${share} of now.`,
  ].join(' ');
}
