/** What Hone reads and changes: telemetry, the target's branch and files; and whether the rules held. */
import { posix } from 'node:path';
import { forgeOf } from '../../loop/index.ts';
import { lookAtSource, readSources } from '../../observe/index.ts';
import { brokenInvariants } from '../broken-invariants.ts';
import { type Check, error, type Finding, ok, type WithLoop, warning } from './types.ts';

/** Nightly cycles look a day back. */
const QUIET_MS = 86_400_000;
const SHOWN_MAX = 3;

export const loopChecks: readonly Check[] = [
  { name: 'sources', needs: 'loop', look: lookAtSources },
  { name: 'branch', needs: 'loop', look: lookAtBranch },
  { name: 'agent files', needs: 'loop', look: lookAtAgentFiles },
  { name: 'sandbox', needs: 'loop', look: lookAtSandbox },
  { name: 'invariants', needs: 'loop', look: lookAtInvariants },
];

async function lookAtSources({ open: { ports }, opened }: WithLoop): Promise<Finding> {
  const { sources } = opened.config.observe;
  const remedy =
    'Correct observe.sources in hone.yaml, then "hone config accept". "hone sources check" says more.';
  if (sources.length === 0) return warning('No telemetry is configured.', remedy);
  const wrong: string[] = [];
  for (const source of sources) {
    const { place, exists, fault } = await lookAtSource(source, ports.files);
    if (fault !== undefined) wrong.push(`${source.name}: ${fault}`);
    else if (!exists) wrong.push(`${source.name}: there is nothing at ${place}`);
  }
  if (wrong.length > 0) return error(`${wrong.join('; ')}.`, remedy);
  const newest = (await readSources(ports.telemetry)).map(({ lastEventMs }) => lastEventMs ?? 0);
  const ageMs = (await ports.telemetry.nowMs()) - Math.max(0, ...newest);
  if (ageMs <= QUIET_MS) return ok(`${sources.length} sources, with events from the last day`);
  return warning(
    `${sources.length} sources, and no event from the last day was read.`,
    'Check that the agents still write there; "hone cycle" reads what is new.',
  );
}

const refOf = (branch: string) => (branch.startsWith('refs/') ? branch : `refs/heads/${branch}`);

async function lookAtBranch({ open: { ports }, opened }: WithLoop): Promise<Finding> {
  const { branch } = opened.config.deploy;
  const forge = forgeOf(ports);
  const head = await forge.resolve(refOf(branch));
  if (head === undefined) {
    return error(
      `The branch ${branch} does not exist.`,
      'Correct deploy.branch in hone.yaml, then "hone config accept".',
    );
  }
  // A remote is tried up to the last step of a push.
  const hindrance = await forge.hindrance(refOf(branch));
  const address = await forge.address?.();
  const place = address === undefined ? '' : ` of ${address}, where it may be pushed to`;
  if (hindrance === undefined) return ok(`${branch} at ${head.slice(0, 12)}${place}`);
  return warning(hindrance, 'Until then Hone deploys nothing there.');
}

/** Trying every limit takes seconds: only where something is to be run in it. */
async function lookAtSandbox({ open: { ports }, opened }: WithLoop): Promise<Finding> {
  const { prepare, test, eval: evaluation, replay } = opened.config.validate;
  const commands = [prepare, test, evaluation, ...(typeof replay === 'string' ? [] : [replay])];
  if (commands.every((command) => command.length === 0))
    return ok(
      'Nothing is run in it: set validate.test, validate.eval or validate.replay to have changes proven (docs/guides/prove-a-change.md).',
    );
  const probe = await ports.runner?.probe();
  if (probe === undefined) return ok('not used here');
  if (!probe.available)
    return error(probe.why, 'Until then every change is inconclusive, and needs a person.');
  const kept = [...Map.groupBy(Object.entries(probe.kept), ([, by]) => by)]
    .map(([by, limits]) => `${limits.map(([limit]) => limit).join(', ')} by ${by}`)
    .join('; ');
  return ok(`bwrap ${probe.version}; every limit was tried: ${kept}`);
}

async function lookAtAgentFiles({ open: { ports }, opened }: WithLoop): Promise<Finding> {
  const { agentFiles } = opened.config.target;
  const remedy = 'Correct target.agentFiles in hone.yaml, then "hone config accept".';
  if (agentFiles.length === 0) return warning('No agent files are named.', remedy);
  const head = await forgeOf(ports).resolve(refOf(opened.config.deploy.branch));
  if (head === undefined) return warning('There is no branch to look for them in.', remedy);
  const files = await ports.repository.listFiles(head, '');
  const idle = agentFiles.filter(
    (glob) => !files.some(({ path }) => posix.matchesGlob(path, glob)),
  );
  if (idle.length === 0) return ok(`Each of ${agentFiles.length} globs matches a file.`);
  return warning(`Nothing at the branch's head matches ${idle.join(', ')}.`, remedy);
}

async function lookAtInvariants({ open: { ports }, opened }: WithLoop): Promise<Finding> {
  await opened.placePending();
  const broken = await brokenInvariants(opened.store, ports.telemetry, {
    rollbackMs: opened.config.deploy.rollbackTimeout,
  });
  if (broken.length === 0) return ok('V1 to V10 hold in everything recorded.');
  const more = broken.length > SHOWN_MAX ? `; and ${broken.length - SHOWN_MAX} more` : '';
  return error(
    `${broken.slice(0, SHOWN_MAX).join('; ')}${more}`,
    'Look at each with "hone ledger show --subject SUBJECT"; "hone stop-all" if nobody can explain it.',
  );
}
