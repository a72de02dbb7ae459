/** An approved proposal beside a repository, and a loop of three lines, for this room's tests. */
import { expect } from 'vitest';
import { decision, draft, GATE, makeContent, validations } from '../../test/proposals.ts';
import type { TimedStore } from '../../test/timed-store.ts';
import { artifactWrite, makeArtifact, readArtifact } from '../artifact/index.ts';
import { idMaker, seededRandom } from '../base/index.ts';
import { type ProposalContent, SYSTEM } from '../facts/index.ts';
import type { CommitId, TargetRepository } from '../git/index.ts';
import { commitFiles } from '../git/test-repositories.ts';
import {
  type Dossier,
  latest,
  type ProposalStep,
  Proposals,
  planStep,
  readDossier,
} from '../proposal/index.ts';
import {
  apply,
  type DeployPorts,
  openForge,
  prepare,
  type RevertCall,
  revertStep,
} from './index.ts';

export const MAIN = 'refs/heads/main';
export const FILE = 'agents/search.yaml';
const lines = (wait: string) => ['name: search', '', `wait: ${wait}`, '', '', '', 'model: m', ''];
export const OLD = lines('10').join('\n');
export const NEW = lines('30').join('\n');

const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

export class DeployWorld {
  readonly opened: TimedStore;
  readonly repository: TargetRepository;
  readonly base: CommitId;
  readonly id: string;
  readonly #newId;

  constructor(parts: {
    opened: TimedStore;
    repository: TargetRepository;
    base: CommitId;
    id: string;
    newId: (prefix: string) => string;
  }) {
    this.opened = parts.opened;
    this.repository = parts.repository;
    this.base = parts.base;
    this.id = parts.id;
    this.#newId = parts.newId;
  }

  get store() {
    return this.opened.store;
  }

  ports(changes: Partial<DeployPorts> = {}): DeployPorts {
    const { store } = this;
    const repository = changes.repository ?? this.repository;
    return {
      store,
      repository,
      author: { name: 'Hone', email: 'hone@example.org' },
      forge: 'local',
      openForge: (name) => openForge(name, { repository }),
      branch: MAIN,
      diffText: async (digest) => text((await readArtifact(store, digest)).content)!,
      nowMs: this.opened.clock.nowMs(),
      newId: this.#newId,
      rollbackTimeoutMs: 300_000,
      ...changes,
    };
  }

  dossier(): Promise<Dossier> {
    return readDossier(this.store, this.id);
  }

  async state() {
    return (await this.dossier()).proposal.state;
  }

  /** What the loop does with a step. */
  async take(step: ProposalStep): Promise<void> {
    const { store } = this;
    this.opened.clock.advance(1000);
    const planned = planStep(await this.dossier(), step, {
      actor: SYSTEM,
      gate: GATE,
      nowMs: this.opened.clock.nowMs(),
      newId: this.#newId,
    });
    if ('refused' in planned) throw new Error(JSON.stringify(planned.refused));
    expect(await store.commit(planned.plan)).toEqual({ committed: true });
  }

  /** The step of the present state; undefined when the base moved or nothing is left to do. */
  async next(changes: Partial<DeployPorts> = {}): Promise<ProposalStep | undefined> {
    const [dossier, ports] = [await this.dossier(), this.ports(changes)];
    switch (dossier.proposal.state) {
      case 'approved': {
        const step = await prepare(dossier, ports);
        const isMoved = step.amend !== undefined || step.to === 'superseded';
        return isMoved ? undefined : step;
      }
      case 'deploying':
        return apply(dossier, ports);
      case 'monitoring':
        return revertStep(dossier, ports, CALL);
      default:
        return undefined;
    }
  }

  /** Deployed, as far as the target is concerned. */
  async deploy(): Promise<CommitId> {
    for (const state of ['deploying', 'monitoring']) {
      await this.take((await this.next())!);
      expect(await this.state()).toBe(state);
    }
    return (await this.repository.resolve(MAIN))!;
  }

  /** Somebody else commits on the branch. */
  async others(files: Readonly<Record<string, string | null>>): Promise<CommitId> {
    const head = await this.repository.resolve(MAIN);
    const commit = await commitFiles(this.repository, head, files);
    expect(await this.repository.moveRef(MAIN, commit, head)).toBe(true);
    return commit;
  }

  async at(path: string): Promise<string | undefined> {
    const { repository } = this;
    return text(await repository.readFile((await repository.resolve(MAIN))!, path));
  }
}

type Method = keyof TargetRepository;

/** The same repository with something happening around each call. */
export function around(
  repository: TargetRepository,
  hooks: {
    before?: (method: Method, args: readonly unknown[]) => Promise<void>;
    after?: (method: Method, args: readonly unknown[], result: unknown) => Promise<unknown>;
  },
): TargetRepository {
  return new Proxy(repository, {
    get:
      (target, name) =>
      async (...args: unknown[]) => {
        const method = name as Method;
        await hooks.before?.(method, args);
        const call = target[method] as (...given: unknown[]) => Promise<unknown>;
        const result = await call.apply(target, args);
        return hooks.after === undefined ? result : hooks.after(method, args, result);
      },
  });
}

/** Ids differ within a store and are the same in the next one. */
const worlds = new WeakMap<TimedStore, number>();

export const CALL: RevertCall = {
  reason: 'the error rate rose',
  calledAtMs: Date.UTC(2026, 0, 1, 0, 0, 7),
};

export interface WorldOptions {
  readonly content?: Partial<ProposalContent>;
  /** What the diff does, besides the file that it names. */
  readonly more?: Readonly<Record<string, string | null>>;
  readonly diff?: (diff: string) => string;
}

export async function makeWorld(
  opened: TimedStore,
  repository: TargetRepository,
  options: WorldOptions = {},
): Promise<DeployWorld> {
  const { store, clock } = opened;
  const base = await commitFiles(repository, undefined, { [FILE]: OLD, readme: 'r\n' });
  const changed = await commitFiles(repository, base, { [FILE]: NEW, ...options.more });
  await repository.moveRef(MAIN, base, undefined);
  const plain = await repository.diff(base, changed);
  const diff = makeArtifact(options.diff?.(plain) ?? plain, 'text/x-diff');
  await store.commit({ writes: [artifactWrite(diff, clock.nowMs())] });
  const seed = worlds.get(opened) ?? 1;
  worlds.set(opened, seed + 1);
  const newId = idMaker(clock, seededRandom(seed));
  const proposals = new Proposals(store, newId);
  const content = makeContent({ baseCommit: base, diffDigest: diff.digest, files: [FILE] });
  const { id, digest } = await proposals.create({ ...content, ...options.content });
  const gone = async (to: Dossier['proposal']['state']) =>
    expect(await proposals.advance(id, { to, actor: SYSTEM, reason: '', gate: GATE })).toEqual({
      done: true,
    });
  await proposals.attest(id, draft('vetting', 'passed', digest));
  await gone('vetted');
  await gone('validating');
  for (const one of validations('passed', digest)) await proposals.attest(id, one);
  await gone('validated');
  await gone('pending');
  await proposals.attest(id, decision(await readDossier(store, id)));
  await gone('approved');
  return new DeployWorld({ opened, repository, base, id, newId });
}

/** What the newest attestation of this kind has as its file. */
export async function fileOf(world: DeployWorld, kind: 'backup' | 'deployment' | 'rollback') {
  const { attestations, proposal } = await world.dossier();
  const [digest] = latest(attestations, kind, proposal.digest)!.artifacts;
  return JSON.parse(text((await readArtifact(world.store, digest!)).content)!);
}
