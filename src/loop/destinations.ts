/** Where the loop's effects go: the proposals' branch, and the notification channels. */

import { askedTier } from '../approve/index.ts';
import { readArtifact } from '../artifact/index.ts';
import type { Clock, Random } from '../base/index.ts';
import { beforeDecision, type PullPorts, pullRequests } from '../deploy/index.ts';
import { LANES, type Lane, type StepKind } from '../facts/index.ts';
import { Leases } from '../lease/index.ts';
import { type ChannelPorts, openChannels } from '../notify/index.ts';
import { Telemetry } from '../observe/index.ts';
import { type Destination, deliverAll } from '../outbox/index.ts';
import { listProposals, readAllSaid, readAttestations, readDossier } from '../proposal/index.ts';
import { proposalPages } from '../propose/index.ts';
import type { Store } from '../store/index.ts';
import { authorOf, branchOf, forgeNamed, textOf } from './adapters/target.ts';
import { TIER_SETTINGS } from './moment.ts';
import type { LoopPorts } from './types.ts';

const INDEX_MAX = 10_000;

export interface DeliveryPorts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly holder: string;
  readonly allowedSteps: () => Promise<readonly StepKind[]>;
  readonly outbox: LoopPorts['config']['outbox'];
}

export function loopDestinations(
  ports: LoopPorts,
  world: Pick<ChannelPorts, 'write' | 'secret'>,
): Destination[] {
  const { config, clock, log } = ports;
  return [
    pages(ports),
    pullRequests(() => pullPorts(ports)),
    ...openChannels(config.notify, { clock, log, ...world, ...runsFor(ports) }),
  ];
}

/** A command that hangs is ended before its sender is taken for dead. */
const COMMAND_MS_MAX = 20_000;

function runsFor({ deployRunner }: LoopPorts): Pick<ChannelPorts, 'run'> {
  if (deployRunner === undefined) return {};
  return {
    run: (words, given, signal) =>
      deployRunner(signal).run(words, { ...given, timeoutMs: COMMAND_MS_MAX }),
  };
}

function pages({ store, repository, config }: LoopPorts): Destination {
  return proposalPages({
    repository,
    author: { name: config.propose.authorName, email: config.propose.authorEmail },
    page: async (id, version) => {
      const [{ proposal, content }, attestations] = await Promise.all([
        readDossier(store, id),
        readAttestations(store, id, version),
      ]);
      const diff = await readArtifact(store, content.diffDigest);
      return {
        proposal,
        content,
        diffText: Buffer.from(diff.content).toString(),
        attestations,
        said: await readAllSaid(store, attestations),
        beforeDecision: beforeDecision(config.deploy),
      };
    },
    list: () => listProposals(store, { limit: INDEX_MAX }),
  });
}

const EXAMPLES_MAX = 3;

/** What went wrong, in the event's own words. */
function saidBy(event: object | undefined): string | undefined {
  const { errorMessage, message } = (event ?? {}) as { errorMessage?: string; message?: string };
  return errorMessage ?? message;
}

export function pullPorts(ports: LoopPorts): PullPorts {
  const telemetry = new Telemetry(ports.telemetry);
  const { store, repository, config, clock, newId } = ports;
  const { people, appId } = config.deploy.github;
  return {
    deploy: {
      ...{ store, repository, newId, nowMs: clock.nowMs() },
      ...{ author: authorOf(ports), forge: config.deploy.forge, branch: branchOf(ports) },
      openForge: (name, place) => forgeNamed(ports, name, place),
      diffText: (digest) => textOf(store, digest),
    },
    dossier: (id) => readDossier(store, id),
    async examples({ content }) {
      const ids = content.evidence.flatMap((one) => /^event:(.+)$/.exec(one)?.[1] ?? []);
      const found = await Promise.all(ids.slice(0, EXAMPLES_MAX).map((id) => telemetry.event(id)));
      return found.flatMap((stored) => saidBy(stored?.event) ?? []);
    },
    howToDecide: (dossier) => {
      const isHighest = askedTier(dossier, TIER_SETTINGS) === 'require';
      const counts = appId !== 0 && people.length > 0;
      const isEnough = !isHighest || config.identity.verification.require === 'forge';
      return counts && isEnough
        ? 'Approve the head commit by a review, if your account is listed in hone.yaml.'
        : 'A review does not decide here: use the commands.';
    },
  };
}

/** Sends what is due, to each destination separately; returns how many effects reached an end. */
export async function deliver(
  destinations: readonly Destination[],
  ports: DeliveryPorts,
  lanes: readonly Lane[] = LANES,
): Promise<number> {
  const { attempts, backoffBase, backoffMax, timeout } = ports.outbox;
  const leases = new Leases(ports.store);
  const limits = {
    attemptsMax: attempts,
    backoffMs: backoffBase,
    backoffMaxMs: backoffMax,
    sendTimeoutMs: timeout,
    leaseMs: 2 * timeout + 30_000,
  };
  const ended = await Promise.all(
    destinations.map((one) => deliverAll(one, { ...ports, leases, limits }, lanes)),
  );
  return ended.reduce((sum, count) => sum + count, 0);
}
