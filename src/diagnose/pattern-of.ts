/**
 * A failure as a pattern, with its three numbers: score = occurrences × impact ÷ noise.
 *
 * impact: the share of the calls that fail, halved down as the failures gather in few sessions:
 *   failures ÷ calls × (1 + sessions ÷ failures) ÷ 2, from 0 to 1.
 * noise: how little it is spread in time. The window is cut into 10 parts; noise is the number of parts
 *   that could have met it ÷ the parts that did, from 1 (all the time) to 10 (one burst).
 */
import {
  type FailureGroup,
  type FailureKind,
  type Pattern,
  SEVERITIES,
  type WhyNow,
  type Window,
} from '../facts/index.ts';
import { writtenName } from '../text/index.ts';
import type { RootCause } from './causes.ts';
import type { Likeness } from './recognise.ts';
import { escalated } from './returned.ts';
import type { EarlierFix, Failure } from './types.ts';
import { count, countedNoun, shown } from './wording.ts';

const PARTS = 10;
const EVIDENCE_MAX = 100;
const DAY_MS = 86_400_000;

/** From this share of failing calls on. */
const SEVERITY_FROM: Readonly<Record<Pattern['severity'], number>> = {
  critical: 0.5,
  high: 0.2,
  medium: 0.05,
  low: 0,
};

/** Errors are written to a log for many reasons; its share of error lines is not the share of the work that failed. */
const LOG_WEIGHT = 0.2;

export interface Scored {
  readonly score: number;
  readonly impact: number;
  readonly noise: number;
}

export function scoreOf(failure: Failure, window: Window): Scored {
  const { failures, calls, sessions } = failure;
  const reach = Math.min(1, sessions / failures);
  const weight = failure.event === 'log_line' ? LOG_WEIGHT : 1;
  const impact = (weight * (failures / calls) * (1 + reach)) / 2;
  const noise = noiseOf(failure, window);
  return { score: (failures * impact) / noise, impact, noise };
}

function noiseOf(failure: Failure, { fromMs, toMs }: Window): number {
  if (toMs <= fromMs) return 1;
  const times = [failure.firstAtMs, failure.lastAtMs, ...failure.examples.map(({ atMs }) => atMs)];
  const partOf = (atMs: number) =>
    Math.min(PARTS - 1, Math.max(0, Math.floor(((atMs - fromMs) / (toMs - fromMs)) * PARTS)));
  return Math.max(1, Math.min(PARTS, failure.failures) / new Set(times.map(partOf)).size);
}

function severityOf({ event, failures, calls }: Failure): Pattern['severity'] {
  const share = (event === 'log_line' ? LOG_WEIGHT : 1) * (failures / calls);
  return SEVERITIES.findLast((severity) => share >= SEVERITY_FROM[severity]) ?? 'low';
}

const VERBS: Readonly<Record<FailureKind, string>> = {
  timeout: 'times out',
  rate_limit: 'runs into a rate limit',
  size_limit: 'exceeds a size limit',
  retries_exhausted: 'runs out of retries',
  other: 'fails',
};

/** `web_search of researcher times out (412 of 4 320 calls)`, `test checkout > pays fails (12 of 40 runs)` */
export function titleOf(failure: Failure): string {
  const { kind, event, template, errorCode, failures, calls } = failure;
  const code = kind === 'other' && errorCode !== '' ? ` with ${writtenName(errorCode, 30)}` : '';
  const said = writtenName(template.replaceAll('<*>', '…'), 60);
  const did =
    event === 'log_line'
      ? `logs ${said}`
      : event === 'user_correction'
        ? `is corrected by people${code.replace(' with', ':')}`
        : `${VERBS[kind]}${code}`;
  return `${placeWords(failure)} ${did} (${count(failures)} of ${count(calls)} ${countedNoun(event)})`;
}

/** `web_search of researcher` */
export function placeWords({ event, agent, tool }: FailureGroup): string {
  const names = [tool, agent]
    .filter((name) => name !== '')
    .map((name) => writtenName(name, event === 'log_line' ? 30 : 60));
  if (event === 'test_result') return `test ${names.reverse().join(' > ')}`;
  if (names.length > 0) return names.join(' of ');
  return event === 'log_line' ? 'a program' : writtenName('');
}

export function patternOf(
  failure: Failure,
  scored: Scored,
  cause: RootCause & {
    readonly returned?: EarlierFix | undefined;
    readonly like?: Likeness | undefined;
  },
  { now, window }: { readonly now: WhyNow; readonly window: Window },
): Pattern {
  const { id, kind, event, template, agent, tool, errorCode } = failure;
  const { subject, alternatives, layer, confidence, reasons, events, considered } = cause;
  const { byClues, settledBy, returned, like } = cause;
  const severity = severityOf(failure);
  return {
    id,
    title: titleOf(failure),
    kind,
    ...(event === undefined ? {} : { event }),
    template: template.slice(0, 16_384).toWellFormed(),
    agent,
    tool,
    errorCode,
    occurrences: failure.failures,
    ...mostInDay(failure, window),
    calls: failure.calls,
    sessions: failure.sessions,
    firstAtMs: failure.firstAtMs,
    lastAtMs: failure.lastAtMs,
    ...scored,
    severity: returned === undefined ? severity : escalated(severity),
    layer,
    confidence,
    ...(byClues === confidence ? {} : { byClues }),
    reasons: reasons.map((reason) => shown(reason, 1000)),
    evidence: evidenceOf(failure, events),
    subject,
    considered,
    settledBy,
    failedLatency: latencyOf(failure.failedLatency),
    succeededLatency: latencyOf(failure.succeededLatency),
    ...(alternatives.length === 0 ? {} : { alternatives: [...alternatives] }),
    whyNow: now,
    ...(returned && {
      returned: { proposalId: returned.proposalId, layer: returned.layer, atMs: returned.atMs },
    }),
    ...(like === undefined ? {} : { like }),
  };
}

/** By the record of its place; a window of a day needs no counting. */
function mostInDay(
  { failures, history }: Failure,
  { fromMs, toMs }: Window,
): Pick<Pattern, 'mostInDay'> {
  if (toMs - fromMs <= DAY_MS) return {};
  const bins = history.filter(({ atMs, bad }) => bad > 0 && atMs >= fromMs && atMs < toMs);
  let [most, sum, first] = [0, 0, 0];
  for (const { atMs, bad } of bins) {
    sum += bad;
    while (bins[first]!.atMs <= atMs - DAY_MS) sum -= bins[first++]!.bad;
    most = Math.max(most, sum);
  }
  return { mostInDay: Math.min(most, failures) };
}

/** The events that the cause rests on first, then the other examples. */
function evidenceOf({ examples }: Failure, events: readonly string[]): string[] {
  const ids = new Set([...events, ...examples.map(({ id }) => id)]);
  return [...ids].slice(0, EVIDENCE_MAX).map((id) => `event:${id}`);
}

function latencyOf(view: Failure['failedLatency']): Pattern['failedLatency'] {
  return view && { ...view, buckets: view.buckets.map((bucket) => ({ ...bucket })) };
}
