/**
 * From the branch to the agents, after a deployment and after a rollback: the verify command looks at what was deployed; the hooks of the changed paths make
 * running agents load the commit, the `deployed` check is asked which one they run until it is there or time is up, and the smoke
 * test tries it. Each look is one committed step; whatever was not committed is done again, so hooks run at least once
 * per commit. The watch starts on arrival, or when waiting for it is given up, which is told.
 *
 *   awaited ──verify──► awaited ──hooks──► awaited (asked again and again) ──► done
 *      │ not verified, 3 tries failed, no arrival in time, smoke test failed: failed, told
 *      └─ a deployment that is not verified or fails its smoke test calls for the rollback; what is not verified is loaded by nobody
 */
import { posix } from 'node:path';
import type { CommitId } from '../git/index.ts';
import type { Dossier, ProposalStep } from '../proposal/index.ts';
import { jsonFile, wait } from './answers.ts';
import { type Arrival, arrivalFile, type HookRun, readArrival } from './arrival-file.ts';
import { askDeployed } from './deployed-check.ts';
import { runCommand } from './hook-run.ts';
import { plainLine } from './plain-text.ts';
import type { ArrivePorts } from './types.ts';

/** One that fails may meet a service that is just starting; more tries would only delay the watch. */
const TRIES_MAX = 3;
/** Of the time that arrival may take: often enough to notice it soon, seldom enough not to be a load. */
const LOOKS = 60;

/** For a proposal whose arrival is awaited. */
export async function arrive(dossier: Dossier, ports: ArrivePorts): Promise<ProposalStep> {
  const arrival = await readArrival(dossier, ports.store);
  if (arrival === undefined) return { did: 'Nothing is waited for.', dueAtMs: ports.nowMs };
  const { command } = ports.settings.verify;
  if (arrival.event === 'deployed' && command.length > 0 && arrival.verify === null)
    return verified(dossier, arrival, ports);
  if (arrival.hooksAtMs === null) return hooks(dossier, arrival, ports);
  const { settings, nowMs } = ports;
  const asked = await askDeployed(arrival.commit as CommitId, arrival.hooksAtMs, ports);
  if (asked === 'not_asked') return tryOut(dossier, arrival, ports);
  if (asked.isThere) return tryOut(dossier, { ...arrival, answered: asked.answered }, ports);
  const { timeout } = settings.deployed;
  const lateMs = nowMs - arrival.hooksAtMs - timeout;
  const words = `The agents do not run ${short(arrival.commit)} yet: ${asked.why}`;
  if (lateMs < 0) return { did: words, dueAtMs: nowMs + Math.min(-lateMs, timeout / LOOKS) };
  return ended({ ...arrival, answered: asked.answered }, ports, {
    verdict: 'failed',
    did: `${words} ${timeout / 1000} s passed. ${after(arrival, 'It is watched from now on; look at why they did not load it.')}`,
  });
}

/** Not stopped by the kill switch: it guards the way back, and changes nothing. */
async function verified(
  dossier: Dossier,
  arrival: Arrival,
  ports: ArrivePorts,
): Promise<ProposalStep> {
  const { command, timeout: timeoutMs } = ports.settings.verify;
  const verify = await runCommand(command, { timeoutMs, dossier, arrival }, ports);
  const next = { ...arrival, verify };
  if (verify.how !== 'done')
    return takenBack(next, `Verifying it failed: ${runWords(verify)}`, ports);
  return {
    did: `The verify command found ${short(arrival.commit)} good.`,
    attestations: [{ kind: 'arrival', verdict: 'awaited', files: [arrivalFile(next)] }],
    dueAtMs: ports.nowMs,
  };
}

/** Those of the changed paths, in the configured order. One that fails does not keep the others from running. */
async function hooks(
  dossier: Dossier,
  arrival: Arrival,
  ports: ArrivePorts,
): Promise<ProposalStep> {
  const { settings, nowMs } = ports;
  const chosen = settings.hooks.filter(({ paths }) => isAbout(paths, dossier.content.files));
  if (chosen.length > 0 && arrival.event === 'deployed' && (await ports.stopped?.()) === true)
    return wait('Everything automatic is stopped; its hooks run when that is lifted.', nowMs);
  const runs: HookRun[] = [];
  for (const { run, timeout } of chosen)
    runs.push(await runCommand(run, { timeoutMs: timeout, dossier, arrival }, ports));
  const bad = runs.filter(({ how }) => how !== 'done');
  const tries = arrival.tries + 1;
  const next = { ...arrival, tries, hooks: runs };
  if (bad.length > 0 && tries < TRIES_MAX) {
    return {
      ...wait(`${hookWords(bad)} It is run again (${tries} of ${TRIES_MAX} times done).`, nowMs),
      attestations: [{ kind: 'arrival', verdict: 'awaited', files: [arrivalFile(next)] }],
    };
  }
  if (bad.length > 0) {
    const what = after(
      arrival,
      'It is watched from now on; the agents may still run the old version.',
    );
    return ended(next, ports, { verdict: 'failed', did: `${hookWords(bad)} ${what}` });
  }
  const done = { ...next, hooksAtMs: nowMs };
  return {
    did:
      chosen.length === 0
        ? 'No hook is about the changed files.'
        : `Ran ${chosen.length} ${chosen.length === 1 ? 'hook' : 'hooks'} for ${short(arrival.commit)}.`,
    attestations: [{ kind: 'arrival', verdict: 'awaited', files: [arrivalFile(done)] }],
    dueAtMs: nowMs,
  };
}

/** It is there, as far as that can be known: the smoke test says whether it works at all. */
async function tryOut(
  dossier: Dossier,
  arrival: Arrival,
  ports: ArrivePorts,
): Promise<ProposalStep> {
  const { command, timeout } = ports.settings.smoke;
  const smoke =
    command.length === 0
      ? null
      : await runCommand(command, { timeoutMs: timeout, dossier, arrival }, ports);
  const next = { ...arrival, smoke };
  if (smoke === null || smoke.how === 'done') {
    const known = arrival.answered === null ? 'Its hooks ran' : 'The agents run it';
    const tried = smoke === null ? '' : ', and the smoke test passed';
    return ended(next, ports, {
      verdict: 'done',
      did: `${known}${tried}: ${short(arrival.commit)}.`,
    });
  }
  const reason = `The smoke test failed: ${runWords(smoke)}`;
  return takenBack(next, reason, ports);
}

/** After a rollback there is nothing left to take back. */
function takenBack(arrival: Arrival, reason: string, ports: ArrivePorts): ProposalStep {
  const step = ended(arrival, ports, { verdict: 'failed', did: reason });
  if (arrival.event === 'reverted') return step;
  const call = { kind: 'monitoring', verdict: 'degraded', files: [jsonFile({ reason })] } as const;
  return { ...step, attestations: [...step.attestations!, call] };
}

function ended(
  arrival: Arrival,
  { nowMs }: ArrivePorts,
  { verdict, did }: { verdict: 'done' | 'failed'; did: string },
): ProposalStep {
  const file = arrivalFile({ ...arrival, arrivedAtMs: nowMs });
  return { did, attestations: [{ kind: 'arrival', verdict, files: [file] }], dueAtMs: nowMs };
}

const isAbout = (globs: readonly string[], files: readonly string[]) =>
  globs.length === 0 || files.some((path) => globs.some((glob) => posix.matchesGlob(path, glob)));

const after = ({ event }: Arrival, deployed: string) =>
  event === 'deployed'
    ? deployed
    : 'The branch has the old version again; make the agents load it.';

const short = (commit: string) => commit.slice(0, 12);

const hookWords = (bad: readonly HookRun[]) =>
  `${bad.length === 1 ? 'A hook' : `${bad.length} hooks`} failed: ${bad.map(runWords).join(' ')}`;

function runWords({ run, how, code, output }: HookRun): string {
  const end = {
    done: 'ended',
    failed: `ended with ${code}`,
    timeout: 'took too long',
    not_started: 'could not be started',
  }[how];
  const last = plainLine(output.trim().split('\n').at(-1) ?? '', 200);
  return `${plainLine(run, 120)} ${end}${last === '' ? '' : ` (${last})`}.`;
}
