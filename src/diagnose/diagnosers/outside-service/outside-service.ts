/**
 * Blames something outside that was down: messages of the network, one short time that is over, or several tools in
 * the same minutes. Calls that hang run into every timeout there is, so an outage weighs nearly as much as a setting
 * that is seen at work.
 */
import { isoTime } from '../../../base/index.ts';
import { quotedName } from '../../../text/index.ts';
import { messageShare } from '../../message-share.ts';
import { isBackground, TRANSIENT_WORDS } from '../../transient.ts';
import type { Diagnoser, Evidence, Failure, Reason } from '../../types.ts';
import { count, percent } from '../../wording.ts';

const MINUTE_MS = 60_000;

/** One sign of trouble outside. */
interface Sign {
  readonly confidence: number;
  readonly reason: Reason;
}

export const outsideService: Diagnoser = {
  name: 'outside-service',
  explain(failure, evidence) {
    const signs = [
      networkWords(failure, evidence),
      shortTime(failure, evidence),
      toolsTogether(failure, evidence),
    ].filter((sign) => sign !== undefined);
    if (signs.length === 0) return [];
    const { tool } = failure;
    return [
      {
        subject: tool === '' ? { kind: 'unknown' } : { kind: 'service', name: tool },
        layer: 'environment',
        confidence: Math.max(...signs.map(({ confidence }) => confidence)),
        reasons: signs.map(({ reason }) => reason),
        against: [],
      },
    ];
  },
};

const NETWORK_CONFIDENCE = 0.75;
/** A little of it is always there, call by call: nothing is down. */
const BACKGROUND_CONFIDENCE = 0.3;

function networkWords(failure: Failure, evidence: Evidence): Sign | undefined {
  const saying = 'mention the network or a failing server';
  const found = messageShare(failure, TRANSIENT_WORDS, saying);
  const sure = isBackground(failure, evidence) ? BACKGROUND_CONFIDENCE : NETWORK_CONFIDENCE;
  return found && { confidence: sure * found.share, reason: found.reason };
}

const OUTAGE_CONFIDENCE = 0.9;
const OUTAGE_EXAMPLES_MIN = 5;
const OUTAGE_SHARE = 0.8;

/** Nearly all of it in one short time that is over: something was down. */
function shortTime({ examples }: Failure, { window }: Evidence): Sign | undefined {
  const sorted = [...examples].sort((a, b) => a.atMs - b.atMs);
  const shortMs = (window.toMs - window.fromMs) / 10;
  const most = Math.ceil(sorted.length * OUTAGE_SHARE);
  if (sorted.length < OUTAGE_EXAMPLES_MIN) return undefined;
  const from = sorted.findIndex(
    ({ atMs }, at) => (sorted[at + most - 1]?.atMs ?? Infinity) - atMs <= shortMs,
  );
  const [first, last] = [sorted[from], sorted[from + most - 1]];
  if (first === undefined || last === undefined || window.toMs - last.atMs < shortMs)
    return undefined;
  const minutes = Math.max(1, Math.round((last.atMs - first.atMs) / MINUTE_MS));
  const text = `${percent(OUTAGE_SHARE)} of the failures or more fell within ${count(minutes)} minutes, which ended at ${isoTime(last.atMs)}.`;
  const events = sorted.slice(from, from + most).map(({ id }) => id);
  return { confidence: OUTAGE_CONFIDENCE, reason: { text, events } };
}

const TOGETHER_CONFIDENCE = 0.65;
const TOOLS_SHOWN_MAX = 5;

function toolsTogether(failure: Failure, evidence: Evidence): Sign | undefined {
  const others = failingTogether(failure, evidence);
  if (others.length === 0) return undefined;
  const names = others.slice(0, TOOLS_SHOWN_MAX).map(({ tool }) => quotedName(tool));
  const text = `Other tools fail in the same way in the same minutes: ${names.join(', ')}.`;
  const events = failure.examples.map(({ id }) => id);
  return { confidence: TOGETHER_CONFIDENCE, reason: { text, events } };
}

/** Tools of the same kind of failure whose minutes meet much more often than by chance. */
function failingTogether(failure: Failure, { all, window }: Evidence): Failure[] {
  const minutes = minutesOf(failure);
  const windowMinutes = Math.max(1, (window.toMs - window.fromMs) / MINUTE_MS);
  const seen = new Set<string>([failure.tool, '']);
  return all.filter((other) => {
    if (seen.has(other.tool) || other.kind !== failure.kind) return false;
    if (other.kind === 'other' && other.errorCode !== failure.errorCode) return false;
    const others = minutesOf(other);
    const shared = [...others].filter((minute) => minutes.has(minute)).length;
    const byChance = (minutes.size * others.size) / windowMinutes;
    const smaller = Math.min(minutes.size, others.size);
    const together = shared >= 2 && shared >= smaller / 2 && shared > 2 * byChance;
    if (together) seen.add(other.tool);
    return together;
  });
}

function minutesOf({ examples }: Failure): Set<number> {
  return new Set(examples.map(({ atMs }) => Math.floor(atMs / MINUTE_MS)));
}
