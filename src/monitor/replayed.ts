/**
 * A watch replays all counts since its deployment at every look, and once more for each outage that it leaves out. Most of
 * them begin like those before. What was worked out of the same first counts is kept, as a tree of groups: a replay goes
 * down the branch that it has in common with earlier ones, takes the evidence of the last mark there, and works out the rest.
 * Forgetting changes nothing but the time that a look takes.
 */
import { Evidence, type EvidenceOptions } from './evidence.ts';
import type { Group } from './groups.ts';
import { indexAt } from './place-track.ts';
import type { Finding } from './types.ts';

/** A group with how much of the baseline's rate belongs to its time of day. */
export interface Step {
  readonly group: Group;
  readonly factor: number;
}

interface About {
  readonly about: EvidenceOptions;
  readonly evidenceNeeded: number;
  /** A part of every factor: with another one no replay has anything in common, and a tree of all would be wide at its root. */
  readonly times: number;
}

interface Node {
  readonly step: Step | undefined;
  readonly next: Node[];
  /** What was seen up to here. Not at every node: an evidence is ten times as large as a node. */
  readonly evidence: Evidence | undefined;
  readonly found: Finding | undefined;
}

interface Tree {
  readonly root: Node;
  nodes: number;
  /** Whether it is still among those that are kept: a look under way may go on with one that is not. */
  isKept: boolean;
}

/** So many steps are worked out again at most. A mark at each takes eight times the memory. */
const MARK_EVERY = 8;
/** Some tens of megabytes: ten watches of ten series at a time, with their outages. */
const NODES_MAX = 100_000;

/** By what they ask; those that were asked for last come last. */
const TREES = new Map<string, Tree>();
let nodesKept = 0;

/** The groups up to the one that is judged are all that an answer may follow from, beside what it is about. */
type FoundIn = (evidence: Evidence, groups: readonly Group[]) => Finding | undefined;

/** One series, replayed to its first finding, and again from where its counts differ. */
export class Replay {
  readonly #tree: Tree;
  readonly #about: EvidenceOptions;
  readonly #foundIn: FoundIn;
  /** The branch that it is on, without the root, and its groups. */
  #path: Node[] = [];
  #groups: Group[] = [];

  constructor({ about, evidenceNeeded, times }: About, foundIn: FoundIn) {
    const { baseline, startedAtMs, plannedMs, effect } = about;
    const { bad, all } = baseline;
    const asked = [bad, all, startedAtMs, plannedMs, effect, evidenceNeeded, times];
    this.#tree = treeFor(asked.join());
    this.#about = about;
    this.#foundIn = foundIn;
  }

  /** Forgets the group with this time and all after it, and says from when on counts are needed. */
  backTo(atMs: number): number {
    const kept = Math.max(0, indexAt(this.#groups, atMs + 1) - 1);
    const fromMs = this.#groups[kept]?.atMs ?? atMs;
    this.#path.length = kept;
    this.#groups.length = kept;
    return fromMs;
  }

  /** Goes on with these. They are asked for only up to the finding. */
  on(steps: Iterable<Step>): Finding | undefined {
    let evidence: Evidence | undefined;
    let node = this.#path.at(-1) ?? this.#tree.root;
    if (node.found !== undefined) return node.found;
    for (const step of steps) {
      const known =
        evidence === undefined ? node.next.find((one) => isSame(one.step!, step)) : undefined;
      this.#groups.push(step.group);
      if (known === undefined) {
        evidence ??= this.#evidence();
        node = this.#added(node, step, evidence);
      } else node = known;
      this.#path.push(node);
      if (node.found !== undefined) break;
    }
    forgetOldest();
    return node.found;
  }

  /** After the path so far, from the last mark on it. */
  #evidence(): Evidence {
    const mark = this.#path.findLastIndex((node) => node.evidence !== undefined);
    const evidence = new Evidence(this.#path[mark]?.evidence ?? this.#about);
    for (const { step } of this.#path.slice(mark + 1)) evidence.add(step!.group, step!.factor);
    return evidence;
  }

  #added(after: Node, step: Step, evidence: Evidence): Node {
    evidence.add(step.group, step.factor);
    const found = this.#foundIn(evidence, this.#groups);
    const isMark = found === undefined && this.#groups.length % MARK_EVERY === 0;
    const node = { step, next: [], evidence: isMark ? new Evidence(evidence) : undefined, found };
    after.next.push(node);
    this.#tree.nodes += 1;
    if (this.#tree.isKept) nodesKept += 1;
    return node;
  }
}

function treeFor(key: string): Tree {
  const tree = TREES.get(key) ?? {
    root: { step: undefined, next: [], evidence: undefined, found: undefined },
    nodes: 0,
    isKept: true,
  };
  TREES.delete(key);
  TREES.set(key, tree);
  return tree;
}

function forgetOldest(): void {
  for (const [key, tree] of TREES) {
    if (nodesKept <= NODES_MAX) return;
    TREES.delete(key);
    tree.isKept = false;
    nodesKept -= tree.nodes;
  }
}

function isSame(one: Step, other: Step): boolean {
  const [a, b] = [one.group, other.group];
  return (
    a.atMs === b.atMs &&
    a.bad === b.bad &&
    a.all === b.all &&
    a.lengthMs === b.lengthMs &&
    one.factor === other.factor
  );
}
