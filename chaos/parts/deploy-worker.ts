/**
 * A process that deploys a change, brings it to the agents and takes it back, and kills itself (SIGKILL) at the n-th
 * moment: after every call of git or the remote, around every commit and around every hook.
 *
 * Argument, as one JSON document: `WorkerOrder`. Exit 0: the story is over. It says how many moments there were, and
 * the name of each.
 */
import { writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { readArtifact } from '../../src/artifact/index.ts';
import { idMaker, systemClock, systemRandom } from '../../src/base/index.ts';
import { deployRunner } from '../../src/compose/deploy-runner.ts';
import {
  type ArrivePorts,
  apply,
  arrive,
  type DeployPorts,
  type DeployRunner,
  type ForgeWorld,
  openForge,
  prepare,
  pullRequests,
  revertStep,
} from '../../src/deploy/index.ts';
import { SYSTEM } from '../../src/facts/index.ts';
import { openRepository, type TargetRepository } from '../../src/git/index.ts';
import type { Effect } from '../../src/outbox/index.ts';
import {
  type Dossier,
  evidenceDigest,
  isArrivalAwaited,
  isCalledBack,
  type ProposalStep,
  planStep,
  readDossier,
  rollbackCall,
} from '../../src/proposal/index.ts';
import type { Store } from '../../src/store/index.ts';
import { GATE, OPERATOR } from '../../test/proposals.ts';
import { goesTo, hookLogOf, placeOf, type Story, targetOf } from './deploy-places.ts';
import { openOutboxStore } from './outbox-store.ts';

export interface WorkerOrder {
  readonly store: string;
  readonly story: Story;
  /** Counted from 1; absent: it lives. */
  readonly killAt?: number;
  /** The protection that is taken out: hooks are recorded as run before they run. */
  readonly removed?: 'record after the run';
}

const STEPS_MAX = 60;
const FAULTS_MAX = 20;
const AGAIN_MS = 100;

const order = JSON.parse(process.argv[2]!) as WorkerOrder;
let moments = 0;
function moment(name: string): void {
  moments++;
  writeSync(1, `${name}\n`);
  if (moments === order.killAt) process.kill(process.pid, 'SIGKILL');
}

/** Every call is a moment once it is done. */
function counted<T extends object>(real: T): T {
  return new Proxy(real, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const result: unknown = value.apply(target, args);
        if (!(result instanceof Promise)) return counted(result as object);
        return result.then((done: unknown) => {
          moment(`git ${String(name)}`);
          return done;
        });
      };
    },
  });
}

/** What runs only after the commit, where the order of both is turned round. */
const later: (() => Promise<unknown>)[] = [];

function mortalRunner(real: DeployRunner): DeployRunner {
  return {
    ...real,
    async run(words, options) {
      const run = async () => {
        moment('before the hook');
        const ran = await real.run(words, options);
        moment('after the hook');
        return ran;
      };
      const isHook = 'HONE_EVENT' in options.variables;
      if (order.removed === undefined || !isHook) return run();
      later.push(run);
      return { how: 'done', code: 0, output: '' };
    },
  };
}

/** Every answer of the forge's interface is a moment. */
const mortalFetch: typeof fetch = async (...asked) => {
  const answer = await fetch(...asked);
  moment('fetch');
  return answer;
};

/** Its pull request is published, which the outbox may do again; then somebody approves it by command. */
async function publishAndApprove(dossier: Dossier, ports: DeployPorts): Promise<ProposalStep> {
  const { proposal, attestations } = dossier;
  const destination = pullRequests(() => ({
    deploy: ports,
    dossier: async () => dossier,
    examples: async () => [],
    howToDecide: () => 'hone approve',
  }));
  const effect = { payload: { proposal: proposal.id } } as unknown as Effect;
  const sent = await destination.send(effect, new AbortController().signal);
  if (sent.outcome !== 'delivered') throw new Error(JSON.stringify(sent));
  return {
    did: 'A person approves it.',
    attestations: [
      {
        ...{ kind: 'decision', verdict: 'approved', actor: OPERATOR, tier: 'require' },
        allows: { what: 'deployment' },
        evidenceDigest: evidenceDigest(attestations, proposal.digest),
        target: goesTo(order.story),
      },
    ],
    to: 'approved',
  };
}

async function stepOf(
  dossier: Dossier,
  ports: DeployPorts & ArrivePorts,
): Promise<ProposalStep | undefined> {
  const { proposal, attestations } = dossier;
  if (isCalledBack(attestations, proposal.digest)) {
    const { atMs: calledAtMs } = rollbackCall(attestations, proposal.digest)!;
    return revertStep(dossier, ports, { reason: 'asked for', calledAtMs });
  }
  if (isArrivalAwaited(attestations, proposal.digest)) return arrive(dossier, ports);
  if (proposal.state === 'pending') return publishAndApprove(dossier, ports);
  if (proposal.state === 'approved') return prepare(dossier, ports);
  if (proposal.state === 'deploying') return apply(dossier, ports);
  if (proposal.state !== 'monitoring') return undefined;
  return {
    did: 'A person asks for the rollback.',
    attestations: [{ kind: 'rollback', verdict: 'requested', actor: OPERATOR }],
  };
}

async function portsFor(
  store: Store,
  repository: TargetRepository,
): Promise<DeployPorts & ArrivePorts> {
  const { story } = order;
  const access = { sshKey: '', sshKnownHosts: '', credentialHelper: '' };
  const log = hookLogOf(story);
  const run = ['sh', '-c', 'echo "$HONE_EVENT $HONE_COMMIT" >> "$0"', log];
  const never = new AbortController().signal;
  const world: ForgeWorld = {
    ...{ fetch: mortalFetch, clock: systemClock, tokens: new Map() },
    ...{ secret: () => undefined, readFile: (path: string) => readFile(path, 'utf8') },
  };
  return {
    store,
    repository,
    author: { name: 'Hone', email: 'hone@example.org' },
    forge: story.forge,
    branch: 'refs/heads/main',
    openForge: (name, remote = 'origin') =>
      openForge(name, {
        repository,
        remote: { remote, ...access },
        ...(story.hub === undefined ? {} : { github: story.hub.settings, world }),
      }),
    diffText: async (digest) => Buffer.from((await readArtifact(store, digest)).content).toString(),
    nowMs: await store.nowMs(),
    newId,
    awaitsArrival: true,
    settings: {
      hooks: [{ paths: ['agents/**'], run, timeout: 20_000 }],
      deployed: {
        command: ['git', '--git-dir', placeOf(story), 'rev-parse', 'main'],
        url: '',
        telemetry: false,
        timeout: 20_000,
      },
      smoke: { command: [], timeout: 1000 },
      verify: { command: [], timeout: 1000 },
    },
    versions: async () => [],
    runner: mortalRunner(deployRunner({ environment: process.env, clock: systemClock })(never)),
  };
}

const newId = idMaker(systemClock, systemRandom);

/** False: nothing is left to do. */
async function takeStep(store: Store, repository: TargetRepository): Promise<boolean> {
  const dossier = await readDossier(store, order.story.proposal);
  const step = await stepOf(dossier, await portsFor(store, repository));
  if (step === undefined) return false;
  const gate = { ...GATE, target: goesTo(order.story) };
  const planned = planStep(dossier, step, {
    actor: SYSTEM,
    gate,
    nowMs: await store.nowMs(),
    newId,
  });
  if ('refused' in planned) throw new Error(JSON.stringify(planned.refused));
  moment('before the commit');
  const { committed } = await store.commit(planned.plan);
  if (!committed) throw new Error('the commit was refused');
  moment('after the commit');
  for (const run of later.splice(0)) await run();
  return true;
}

async function work(): Promise<void> {
  const store = await openOutboxStore(order.store);
  const repository = await openRepository({ root: targetOf(order.story), durable: false });
  let faults = 0;
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    try {
      if (!(await takeStep(store, counted(repository)))) {
        await repository[Symbol.asyncDispose]();
        return await store.close();
      }
    } catch (error) {
      // What a killed process started may still hold git's locks; the loop tries again too.
      if (++faults > FAULTS_MAX) throw error;
      await systemClock.sleep(AGAIN_MS);
    }
  }
  throw new Error('it never ended');
}

await work();
