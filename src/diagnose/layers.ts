/**
 * Where a failure begins. All seven layers are asked; one without evidence gets none. The layer with
 * the most evidence is the root, and what speaks for the next one lowers the confidence.
 */
import { isoTime } from '../base/index.ts';
import { CAUSE_LAYERS, type CauseLayer, type Window } from '../facts/index.ts';
import { quotedName } from '../text/index.ts';
import { explainBySettings, settingName } from './explain-by-setting.ts';
import type { Failure, Setting } from './types.ts';
import { count, percent } from './wording.ts';

const MINUTE_MS = 60_000;
const LOOKED_AT_CHARS = 2000;
/** What is said when nothing shows where it begins. */
const NO_EVIDENCE_CONFIDENCE = 0.1;
const REASONS_MAX = 20;

export interface Attribution {
  readonly layer: CauseLayer;
  readonly confidence: number;
  readonly reasons: readonly string[];
  readonly setting: Setting | null;
}

interface Evidence {
  readonly layer: CauseLayer;
  /** 0 to 1. */
  readonly weight: number;
  readonly reasons: readonly string[];
}

export interface LayerInput {
  readonly failure: Failure;
  /** Everything that fails in the window, this one included. */
  readonly all: readonly Failure[];
  readonly settings: readonly Setting[];
  readonly window: Window;
}

export function attribute(input: LayerInput): Attribution {
  const explained = explainBySettings(input.failure, input.settings);
  const evidence = [
    settingsEvidence(explained),
    toolEvidence(input),
    environmentEvidence(input),
    wordEvidence(input.failure, 'output', OUTPUT_WORDS, 0.4),
    wordEvidence(input.failure, 'behavior', BEHAVIOR_WORDS, 0.35),
  ].filter(({ weight }) => weight > 0);
  // Of equals the deeper layer: what is given before what is seen.
  evidence.sort((a, b) => b.weight - a.weight || depth(b.layer) - depth(a.layer));
  const [best, second] = evidence;
  if (best === undefined) {
    const reasons = ['Nothing shows where it begins; this layer is only where it is seen.'];
    return { layer: 'behavior', confidence: NO_EVIDENCE_CONFIDENCE, reasons, setting: null };
  }
  const isSetting = best.layer === 'settings';
  const ambiguous = isSetting && explained.length > 1;
  const confidence = best.weight * (1 - (second?.weight ?? 0) / 2) * (ambiguous ? 0.5 : 1);
  return {
    layer: best.layer,
    confidence: Math.round(confidence * 1000) / 1000,
    reasons: reasonsOf(evidence),
    setting: isSetting && !ambiguous ? explained[0]!.setting : null,
  };
}

function depth(layer: CauseLayer): number {
  return CAUSE_LAYERS.indexOf(layer);
}

/** The root's reasons first, then what speaks for others, then those that nothing speaks for. */
function reasonsOf(evidence: readonly Evidence[]): string[] {
  const [best, ...rest] = evidence;
  const others = rest.flatMap(({ layer, reasons }) =>
    reasons.map((reason) => `It could also be the ${layer} layer: ${reason}`),
  );
  const without = CAUSE_LAYERS.filter((layer) => !evidence.some((one) => one.layer === layer));
  const none = `There is no evidence for ${without.join(', ')}.`;
  return [...best!.reasons, ...others].slice(0, REASONS_MAX - 1).concat(none);
}

function settingsEvidence(explained: ReturnType<typeof explainBySettings>): Evidence {
  const [best] = explained;
  if (best === undefined) return { layer: 'settings', weight: 0, reasons: [] };
  if (explained.length === 1)
    return { layer: 'settings', weight: best.weight, reasons: best.reasons };
  const names = explained.slice(0, 5).map(({ setting }) => settingName(setting));
  const reason = `${explained.length} settings explain it equally well, so none is blamed: ${names.join(', ')}.`;
  return { layer: 'settings', weight: best.weight, reasons: [reason] };
}

/** One tool that fails alike for several agents is more likely broken than they are. */
function toolEvidence({ failure, all }: LayerInput): Evidence {
  const alike = all.filter(
    ({ tool, kind, errorCode }) =>
      tool !== '' &&
      tool === failure.tool &&
      kind === failure.kind &&
      errorCode === failure.errorCode,
  );
  const agents = [...new Set(alike.map(({ agent }) => agent))].sort();
  if (agents.length < 2) return { layer: 'tool', weight: 0, reasons: [] };
  const names = agents.slice(0, 5).map((agent) => quotedName(agent));
  const reason = `${quotedName(failure.tool)} fails alike for ${agents.length} agents: ${names.join(', ')}.`;
  return { layer: 'tool', weight: 0.6, reasons: [reason] };
}

const NETWORK_WORDS =
  /econn(?:refused|reset|aborted)|enotfound|eai_again|ehostunreach|enetunreach|epipe|\bdns\b|getaddrinfo|connection (?:was )?(?:refused|reset|closed|aborted)|network (?:is )?unreachable|network error|socket hang up|service unavailable|bad gateway|gateway time-?out|internal server error|(?:http|status|code|error)\W{0,3}5\d\d\b/;

const OUTPUT_WORDS =
  /(?:invalid|malformed|unexpected|not valid) (?:json|yaml|xml|output|token|format)|(?:parse|parsing|schema|validation) (?:error|failed|failure)|failed to parse|does not match the schema/;

const BEHAVIOR_WORDS =
  /(?:invalid|missing|unknown|bad|illegal) (?:required )?(?:arguments?|parameters?|inputs?|tool|command|option)|no such (?:tool|file|command)|not allowed|permission denied|unsupported/;

function environmentEvidence(input: LayerInput): Evidence {
  const words = wordEvidence(input.failure, 'environment', NETWORK_WORDS, 0.75);
  const found = [words, outageEvidence(input), togetherEvidence(input)];
  return {
    layer: 'environment',
    weight: Math.max(...found.map(({ weight }) => weight)),
    reasons: found.flatMap(({ reasons }) => reasons),
  };
}

const OUTAGE_EXAMPLES_MIN = 5;
const OUTAGE_SHARE = 0.8;

/**
 * Nearly all of it in one short time that is over: something was down. Calls that hang then run into
 * every timeout there is, so this must weigh nearly as much as a setting that is seen at work.
 */
function outageEvidence({ failure, window }: LayerInput): Evidence {
  const none: Evidence = { layer: 'environment', weight: 0, reasons: [] };
  const times = failure.examples.map(({ atMs }) => atMs).sort((a, b) => a - b);
  const shortMs = (window.toMs - window.fromMs) / 10;
  const most = Math.ceil(times.length * OUTAGE_SHARE);
  if (times.length < OUTAGE_EXAMPLES_MIN) return none;
  const from = times.findIndex((atMs, at) => (times[at + most - 1] ?? Infinity) - atMs <= shortMs);
  const [firstMs, lastMs] = [times[from], times[from + most - 1]];
  if (firstMs === undefined || lastMs === undefined || window.toMs - lastMs < shortMs) return none;
  const minutes = Math.max(1, Math.round((lastMs - firstMs) / MINUTE_MS));
  const reason = `${percent(OUTAGE_SHARE)} of it or more fell within ${count(minutes)} minutes, and was over at ${isoTime(lastMs)}.`;
  return { layer: 'environment', weight: 0.9, reasons: [reason] };
}

function togetherEvidence(input: LayerInput): Evidence {
  const names = failingTogether(input).map(({ tool }) => quotedName(tool));
  if (names.length === 0) return { layer: 'environment', weight: 0, reasons: [] };
  const reason = `Other tools fail alike in the same minutes: ${names.slice(0, 5).join(', ')}.`;
  return { layer: 'environment', weight: 0.65, reasons: [reason] };
}

/** Tools of the same kind of failure whose minutes meet much more often than by chance. */
function failingTogether({ failure, all, window }: LayerInput): Failure[] {
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

function wordEvidence(
  { examples, template, errorCode }: Failure,
  layer: CauseLayer,
  words: RegExp,
  weight: number,
): Evidence {
  const texts = examples.length > 0 ? examples.map(({ message }) => message) : [template];
  const code = errorCode.slice(0, 100);
  const fitting = texts.filter((text) =>
    words.test(`${code} ${text.slice(0, LOOKED_AT_CHARS)}`.toLowerCase()),
  ).length;
  const share = fitting / texts.length;
  if (share < 0.5) return { layer, weight: 0, reasons: [] };
  const reason = `${count(fitting)} of ${texts.length} messages (${percent(share)}) ${SAYING[layer]}.`;
  return { layer, weight: weight * share, reasons: [reason] };
}

const SAYING: Readonly<Partial<Record<CauseLayer, string>>> = {
  environment: 'speak of the network or of a server that fails',
  output: 'speak of an answer that is not in its form',
  behavior: 'speak of a call that was made wrongly',
};
