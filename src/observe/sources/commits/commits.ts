/**
 * Commits of the target, as changes that may explain what follows. It needs no path: the target is known. What is
 * stored is the last commit that was given, so that a look without anything new costs one read of a ref.
 */
import { z } from 'zod';
import { NAMES_MAX } from '../../../facts/index.ts';
import { event } from '../../reading/records.ts';
import { bounded, nameOf } from '../../reading/values.ts';
import type {
  Positions,
  Pulled,
  Source,
  SourceKind,
  SourcePorts,
  Stream,
  StreamReader,
  TargetCommit,
} from '../../types.ts';

/** Of a target that is new here: as many as a busy month has. */
const FIRST_COMMITS = 300;
/** More than anybody commits between two looks. */
const COMMITS_MAX = 2000;
const STREAM = 'commits';

const keys = {};

export const commits: SourceKind<typeof keys> = {
  kind: 'commits',
  about: 'commits of the target on the branch that is deployed, as changes; needs no path',
  keys,
  place: () => 'the target repository',
  open: (_, ports) => new CommitSource(ports),
};

class CommitSource implements Source {
  readonly #ports: SourcePorts;

  constructor(ports: SourcePorts) {
    this.#ports = ports;
  }

  async list() {
    const exists = this.#ports.commits !== undefined;
    const stream: Stream = { open: (positions) => this.#open(positions) };
    return { exists, count: exists ? 1 : 0, streams: exists ? [stream] : [], notes: [] };
  }

  async #open(positions: Positions): Promise<StreamReader | undefined> {
    const at = lastGiven(await positions.find([STREAM]));
    const limit = at === undefined ? FIRST_COMMITS : COMMITS_MAX;
    const read = await this.#ports.commits!(at?.commit ?? null, limit);
    // After a rewritten history nothing joins: what is older than the last one was given before.
    const fresh = read.commits.filter(({ atMs }) => read.isJoined || atMs > (at?.atMs ?? 0));
    return fresh.length === 0 ? undefined : new CommitReader(fresh);
  }
}

const position = z.strictObject({
  commit: z.string().regex(/^[0-9a-f]{40,64}$/),
  atMs: z.number(),
});

/** The newest of those stored; there is one, unless something else wrote there. */
function lastGiven(found: readonly unknown[]): z.output<typeof position> | undefined {
  const read = found.map((one) => position.safeParse(one)).filter(({ success }) => success);
  return read.map(({ data }) => data!).sort((a, b) => b.atMs - a.atMs)[0];
}

class CommitReader implements StreamReader {
  readonly name = STREAM;
  readonly #left: TargetCommit[];

  constructor(fresh: readonly TargetCommit[]) {
    this.#left = [...fresh];
  }

  async next(stepsMax: number): Promise<Pulled | undefined> {
    const part = this.#left.splice(0, Math.max(1, stepsMax));
    const last = part.at(-1);
    if (last === undefined) return undefined;
    const records = part.map((one) => ({
      ...changeOf(one),
      text: one.id,
      offset: one.atMs,
      line: null,
    }));
    return {
      records,
      position: { stream: STREAM, marks: [STREAM], value: { commit: last.id, atMs: last.atMs } },
      bytes: 0,
      steps: part.length,
    };
  }

  takeNotes(): readonly string[] {
    return [];
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

function changeOf({ id, title, atMs, paths }: TargetCommit) {
  const names = paths.slice(0, NAMES_MAX).map(nameOf);
  return event<'change'>({
    kind: 'change',
    atMs,
    session: id,
    change: 'commit',
    name: id,
    title: bounded(title),
    paths: names.filter((path) => path !== undefined),
  });
}
