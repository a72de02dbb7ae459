/**
 * A watch replays all counts since its deployment at every look, and once more for each outage that it leaves out. Most of
 * them begin like those before. What was worked out of the same first counts is kept, as a tree of groups: a replay goes
 * down the branch that it has in common with earlier ones, takes the evidence of the last mark there, and works out the rest.
 * Forgetting changes nothing but the time that a look takes.
 */
import { Evidence, type EvidenceOptions } from './evidence.ts';
import type { Group } from './groups.ts';
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
  readonly parent: Node | undefined;
  /** How many steps lead here. */
  readonly depth: number;
  readonly next: Node[];
  /** What was seen up to here. Not at every node: an evidence is ten times as large as a node. */
  readonly evidence: Evidence | undefined;
  readonly found: Finding | undefined;
}

interface Tree {
  readonly key: string;
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
let forgotten = 0;

/** Whoever keeps replays lets them go when it grows. */
export const treesForgotten = () => forgotten;

/** The groups up to the one that is judged are all that an answer may follow from, beside what it is about. */
type FoundIn = (evidence: Evidence, groups: () => readonly Group[]) => Finding | undefined;

/** One series, replayed to its first finding, and again from where its counts differ: a place in the tree. */
export class Replay {
  readonly #given: About;
  readonly #foundIn: FoundIn;
  readonly #tree: Tree;
  #node: Node;

  /** At the place where another one of the same is, or at the beginning. */
  constructor(given: About, foundIn: FoundIn, from?: Replay) {
    this.#given = given;
    this.#foundIn = foundIn;
    this.#tree = from === undefined ? treeFor(keyOf(given)) : from.#tree;
    this.#node = from === undefined ? this.#tree.root : from.#node;
  }

  /** Goes on by itself. */
  copy(): Replay {
    return new Replay(this.#given, this.#foundIn, this);
  }

  /** One that is not would go on with what nobody counts any more. */
  get isKept(): boolean {
    return this.#tree.isKept;
  }

  /** Lets go of its place if the tree was forgotten, so that nothing of the tree stays in memory. */
  release(): void {
    if (!this.#tree.isKept) this.#node = this.#tree.root;
  }

  /** Where it is. */
  get found(): Finding | undefined {
    return this.#node.found;
  }

  /** Forgets the group with this time and all after it, and says from when on counts are needed. */
  backTo(atMs: number): number {
    let node = this.#node;
    if (node.found !== undefined && endOf(node) <= atMs) return atMs;
    while (node.parent !== undefined && node.step!.group.atMs > atMs) node = node.parent;
    this.#node = node.parent ?? node;
    return node.step?.group.atMs ?? atMs;
  }

  /** Goes on with these. They are asked for only up to the finding. */
  on(steps: Iterable<Step>): Finding | undefined {
    used(this.#tree);
    let evidence: Evidence | undefined;
    let node = this.#node;
    if (node.found !== undefined) return node.found;
    for (const step of steps) {
      // The newest first: most that is asked again was asked at the last look.
      const known =
        evidence === undefined ? node.next.findLast((one) => isSame(one.step!, step)) : undefined;
      if (known === undefined) {
        evidence ??= evidenceAt(node, this.#given.about);
        node = this.#added(node, step, evidence);
      } else node = known;
      if (node.found !== undefined) break;
    }
    this.#node = node;
    forgetOldest();
    return node.found;
  }

  #added(parent: Node, step: Step, evidence: Evidence): Node {
    evidence.add(step.group, step.factor);
    const depth = parent.depth + 1;
    const found = this.#foundIn(evidence, () => [...groupsTo(parent), step.group]);
    const isMark = found === undefined && depth % MARK_EVERY === 0;
    const seen = isMark ? new Evidence(evidence) : undefined;
    const node = { step, parent, depth, next: [], evidence: seen, found };
    parent.next.push(node);
    this.#tree.nodes += 1;
    if (this.#tree.isKept) nodesKept += 1;
    return node;
  }
}

function keyOf({ about, evidenceNeeded, times }: About): string {
  const { baseline, startedAtMs, plannedMs, effect } = about;
  const { bad, all } = baseline;
  return [bad, all, startedAtMs, plannedMs, effect, evidenceNeeded, times].join();
}

function endOf({ step }: Node): number {
  return step!.group.atMs + step!.group.lengthMs;
}

/** From the last mark before it. */
function evidenceAt(node: Node, about: EvidenceOptions): Evidence {
  const since: Step[] = [];
  let from = node;
  while (from.parent !== undefined && from.evidence === undefined) {
    since.push(from.step!);
    from = from.parent;
  }
  const evidence = new Evidence(from.evidence ?? about);
  for (const { group, factor } of since.reverse()) evidence.add(group, factor);
  return evidence;
}

function groupsTo(node: Node): Group[] {
  const groups: Group[] = [];
  for (let one = node; one.parent !== undefined; one = one.parent) groups.push(one.step!.group);
  return groups.reverse();
}

function treeFor(key: string): Tree {
  const root = { step: undefined, parent: undefined, depth: 0 };
  const tree = TREES.get(key) ?? {
    key,
    root: { ...root, next: [], evidence: undefined, found: undefined },
    nodes: 0,
    isKept: true,
  };
  TREES.set(key, tree);
  return tree;
}

function used(tree: Tree): void {
  if (!tree.isKept) return;
  TREES.delete(tree.key);
  TREES.set(tree.key, tree);
}

function forgetOldest(): void {
  for (const [key, tree] of TREES) {
    if (nodesKept <= NODES_MAX) return;
    TREES.delete(key);
    tree.isKept = false;
    tree.root.next.length = 0;
    forgotten += 1;
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
