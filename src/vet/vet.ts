/**
 * Vetting: one step of a proposal in `draft`. Reads what the checks need, runs the whole rubric, and
 * says what it found as an attestation with its report. It changes nothing by itself.
 */
import { makeArtifact } from '../artifact/index.ts';
import { assert, canonicalJson } from '../base/index.ts';
import type { ProposalState, SwitchMode } from '../facts/index.ts';
import {
  CONSTITUTION,
  judgeLimit,
  type LetPass,
  letPassEntry,
  letPassWords,
} from '../policy/index.ts';
import type { Dossier, ProposalStep } from '../proposal/index.ts';
import { citedEvents, eventId } from './check-evidence.ts';
import { readDiff } from './read-diff.ts';
import { RUBRIC, verdictOf } from './rubric.ts';
import type { Check, CheckOutcome, CheckResult, VetInput, VetPorts } from './types.ts';

const LOOK_AGAIN_MS = 3_600_000;
const DID_MAX = 1000;

const NEXT: Readonly<Record<CheckOutcome, ProposalState>> = {
  passed: 'vetted',
  failed: 'rejected',
  held: 'quarantined',
};

type NamedResult = CheckResult & {
  readonly name: string;
  readonly rule: number | null;
  /** What the gate would have said, had it not only observed. */
  readonly wouldBe?: CheckOutcome;
};

export async function vet(dossier: Dossier, ports: VetPorts): Promise<ProposalStep> {
  const { proposal } = dossier;
  assert(proposal.state === 'draft', `a ${proposal.state} proposal is not vetted`);
  const { vetting, limits } = ports.switches;
  const input = await readInput(dossier, ports);
  const released = (await ports.releasedByPerson?.(proposal.id, proposal.digest)) ?? false;
  const asked = RUBRIC.checks.filter((check) => isAsked(check, vetting.mode));
  const notAsked = RUBRIC.checks.filter((check) => !asked.includes(check)).map(({ name }) => name);
  const judged = asked.map((check) => judge(check, input, { released, mode: vetting.mode }));
  const verdict = verdictOf(judged);
  // A limit is not the proposal's fault: it waits. What fails anyway needs no place.
  const place = placeFor(ports);
  if (verdict !== 'failed' && !place.allowed) return wait(ports, place.max);
  const report = {
    report: 'vetting',
    rubric: RUBRIC.version,
    constitution: CONSTITUTION.version,
    digest: proposal.digest,
    verdict,
    releasedByPerson: released,
    mode: vetting.mode,
    notAsked,
    checks: judged,
  };
  const file = makeArtifact(canonicalJson(report), 'application/json');
  const passed = verdict === 'passed' ? letPassed(judged, place.letPass ? ports : undefined) : [];
  return {
    did: sentence(verdict, { judged, notAsked, passed }),
    attestations: [{ kind: 'vetting', verdict, files: [file] }],
    to: NEXT[verdict],
    entries: passed.map((one) => letPassEntry(one, `proposal:${proposal.id}`, ports.nowMs)),
    expect: [...vetting.unchanged, ...limits.unchanged],
  };
}

function isAsked({ obeysSwitch }: Check, mode: SwitchMode): boolean {
  return obeysSwitch !== true || mode !== 'off';
}

function judge(
  { name, rule, run, obeysSwitch }: Check,
  input: VetInput,
  { released, mode }: { released: boolean; mode: SwitchMode },
): NamedResult {
  const result = { name, rule, ...run(input) };
  const judged = released ? letOut(result) : result;
  if (obeysSwitch !== true || mode !== 'observe' || judged.outcome === 'passed') return judged;
  return { ...judged, outcome: 'passed', wouldBe: judged.outcome };
}

/** Whether there is a place for one more open proposal. */
function placeFor({ openProposals, openProposalsMax, switches }: VetPorts) {
  const { mode } = switches.limits;
  return judgeLimit('openProposals', { count: openProposals, max: openProposalsMax, mode });
}

/** `crowded`: given when it has its place only because the limits are observed. */
function letPassed(judged: readonly NamedResult[], crowded: VetPorts | undefined): LetPass[] {
  const quality = judged
    .filter(({ wouldBe }) => wouldBe !== undefined)
    .map(({ name, reasons }) => ({ gate: 'vetting', what: name, why: reasons.join(' ') }));
  if (crowded === undefined) return quality;
  const { openProposals, openProposalsMax } = crowded;
  const why = `${openProposals} are open; the limit is ${openProposalsMax}.`;
  return [...quality, { gate: 'limits', what: 'open proposals', why }];
}

async function readInput({ content }: Dossier, ports: VetPorts): Promise<VetInput> {
  const diff = await readDiff(content.diffDigest, (digest) => ports.diffText(digest));
  const cited = citedEvents(content);
  const existing: string[] = [];
  for (const reference of cited)
    if (await ports.eventExists(eventId(reference))) existing.push(reference);
  const pattern = content.patternId === null ? undefined : await ports.patternOf(content.patternId);
  const { limits, agentFiles } = ports;
  return { content, diff, limits, agentFiles, cited, existing, pattern };
}

/**
 * A person saw what was held and let it go on. What failed stays failed, and what enforces a rule of the
 * constitution stays held: nobody releases a secret.
 */
function letOut(result: NamedResult): NamedResult {
  if (result.outcome !== 'held' || result.rule !== null) return result;
  const reasons = ['A person released it from quarantine.', ...result.reasons];
  return { ...result, outcome: 'passed', reasons };
}

function wait({ openProposals, nowMs }: VetPorts, max: number): ProposalStep {
  return {
    did: `It waits: ${openProposals} proposals are open; the limit is ${max} (rule 7).`,
    dueAtMs: nowMs + LOOK_AGAIN_MS,
  };
}

interface Vetted {
  readonly judged: readonly NamedResult[];
  readonly notAsked: readonly string[];
  readonly passed: readonly LetPass[];
}

function sentence(verdict: CheckOutcome, { judged, notAsked, passed }: Vetted): string {
  if (verdict === 'passed') {
    const checks = `Vetting passed: ${judged.length} checks of rubric ${RUBRIC.version}.`;
    const off = notAsked.length === 0 ? [] : [`Switched off: ${notAsked.join(', ')}.`];
    const notes = judged.flatMap(({ note }) => (note === undefined ? [] : [note]));
    return short([checks, ...off, ...notes, ...passed.map(letPassWords)].join(' '));
  }
  const against = judged
    .filter(({ outcome }) => outcome !== 'passed')
    .map(
      ({ name, rule, reasons }) =>
        `${name}${rule === null ? '' : ` (rule ${rule})`}: ${reasons[0]}`,
    );
  return short(
    `Vetting ${verdict === 'held' ? 'holds it for a person' : 'failed'}: ${against.join(' ')}`,
  );
}

function short(text: string): string {
  return text.length > DID_MAX ? `${text.slice(0, DID_MAX).toWellFormed()}…` : text;
}
