/**
 * A repository on a forge in memory, where people, agents and strangers do things in any order, and a Hone of pure parts:
 * the real gate and the real judgement of reviews over what the forge says. The world writes down what each person was
 * looking at when they acted; the checker judges deployments by that alone, and shares no code with either.
 */
import { type Digest, type Random, sha256Hex } from '../../src/base/index.ts';
import type { CheckRun, Pull, Review } from '../../src/deploy/forges/github/pulls.ts';
import {
  CHECK_NAME,
  judgeReviews,
  type ReviewRules,
} from '../../src/deploy/forges/github/review-decision.ts';
import {
  type Actor,
  type Attestation,
  type ProposalContent,
  SYSTEM,
  type Tier,
} from '../../src/facts/index.ts';
import type { AutomaticTier } from '../../src/policy/index.ts';
import {
  decisionGate,
  deployGate,
  evidenceDigest,
  type GateInput,
  INCOMPLETE,
  latestByPerson,
  latestDecision,
  tierOf,
} from '../../src/proposal/index.ts';
import { draft, GATE, makeContent, TARGET, validations } from '../../test/proposals.ts';
import { factsOf, isCarriable, type Made, type RemovedOfBases } from './approval-bases.ts';

/** What is taken out for a control. */
export type Removed =
  | RemovedOfBases
  | 'the second look'
  | 'the head'
  | 'the account'
  | 'the evidence'
  | 'the count'
  | 'the owner'
  | 'the editor'
  | 'the hold'
  | 'the request'
  | 'the escalation'
  | 'the switch'
  | undefined;

const PEOPLE = [
  { id: 11, login: 'ann', type: 'User', person: 'ann@example.org', may: true },
  { id: 12, login: 'ben', type: 'User', person: 'ben@example.org', may: true },
  { id: 13, login: 'eve', type: 'User', person: 'eve@example.org', may: false },
  { id: 14, login: 'coder', type: 'User', person: 'coder@example.org', may: false },
  { id: 11, login: 'ann', type: 'Bot', person: 'ann@example.org', may: false },
  { id: 90, login: 'hone[bot]', type: 'Bot', person: 'hone', may: false },
] as const;
type Somebody = (typeof PEOPLE)[number];

const AGENTS = [{ name: 'coder', matches: ['coder@example.org', 'coder'] }];
/** The agent has an entry as well: it does not help it. */
const LISTED = [11, 12, 14].map((userId) => ({
  userId,
  person: PEOPLE.find(({ id }) => id === userId)!.person,
}));
const APP = 77;

/** What somebody had before their eyes. */
interface Saw {
  readonly content: number;
  readonly evidence: number;
}

interface KeptReview extends Review {
  readonly who: Somebody;
  readonly saw: Saw | undefined;
}

/** What somebody said by command. */
interface Told {
  readonly who: string;
  readonly verified: Actor['verified'];
  readonly word: 'approved' | 'wants changes';
  readonly second: number;
  readonly saw: Saw;
}

/** Who types commands; the last one is an agent. */
const TYPISTS = [
  { kind: 'human', id: 'ann@example.org' },
  { kind: 'human', id: 'cid@example.org' },
  { kind: 'human', id: 'dot@example.org' },
  { kind: 'agent', id: 'agent@example.org' },
] as const;

export class ApprovalWorld {
  readonly violations: string[] = [];
  deployments = 0;
  outside = 0;
  readonly #random: Random;
  readonly #removed: Removed;
  readonly #isForgeEnough: boolean;
  #second = 0;
  #next = 1;
  /** The change and the evidence as they are now; both only grow. */
  #content = 1;
  #evidence = 0;
  #base = 1;
  #decidedBase = 1;
  /** Every content there was, and how the base is now. */
  readonly #made = new Map<number, Made>();
  #around = { depends: 0, lineage: 0, quality: 0 };
  #edits = 0;
  /** How often an approval was carried over to a moved base. */
  carried = 0;
  #stopped = false;
  #state: 'pending' | 'approved' | 'deploying' | 'over' = 'pending';
  #attestations: Attestation[] = [];
  #pull: Pull;
  #head = '';
  #headIsHones: Saw | undefined;
  #reviews: KeptReview[] = [];
  #checks: CheckRun[] = [];
  readonly #told: Told[] = [];
  readonly #needed: number;
  readonly #owner: string | undefined;
  #isPaused = false;
  #isEscalated = false;
  /** Tiers that an operator switched on, and those that were on when the deployment began. */
  #on: readonly AutomaticTier[] = [];
  #onAtStart: readonly AutomaticTier[] = [];
  /** Whether validation shows that it helps: auto, where it is of low risk; else notify. */
  readonly #helps: boolean;
  /** Deployments that nobody but Hone decided. */
  alone = 0;
  #proposal: Pick<ProposalContent, 'type' | 'risk' | 'proposer' | 'modifiers'>;

  constructor(random: Random, removed: Removed) {
    this.#random = random;
    this.#removed = removed;
    this.#isForgeEnough = this.#chance(0.6);
    this.#needed = this.#chance(0.3) ? 2 : 1;
    this.#owner = this.#chance(0.3) ? 'ann@example.org' : undefined;
    const { type } = makeContent();
    const risk = this.#pick(['low', 'low', 'medium', 'medium', 'high'] as const);
    this.#proposal = { type, proposer: SYSTEM, risk };
    this.#helps = this.#chance(0.5);
    const repo = { id: 1 };
    this.#pull = {
      ...{ number: 1, node_id: 'n', state: 'open', draft: true, title: 't', body: 'b' },
      ...{ merged_at: null, merge_commit_sha: null, html_url: 'https://github.com/a/b/pull/1' },
      user: { id: 90, login: 'hone[bot]', type: 'Bot' },
      head: { ref: 'hone/proposal-p', sha: this.#commit('none'), repo },
      base: { ref: 'main', sha: this.#commit('base'), repo },
    };
    this.#validate();
    this.#publish();
  }

  get isOver(): boolean {
    return this.#state === 'over';
  }

  /** One thing that somebody does. */
  act(): void {
    if (this.#chance(0.6)) this.#second += 1;
    const acts: readonly (() => void)[] = [
      ...Array(6).fill(() => this.#review()),
      ...Array(7).fill(() => this.#step()),
      () => this.#push(),
      () => this.#dismiss(),
      () => this.#edit(),
      () => this.#mergeOutside(),
      // More often between the approval and the deployment, where it matters most.
      ...Array(this.#state === 'approved' ? 8 : 1).fill(() => this.#moveBase()),
      () => this.#wait(),
      () => this.#validate(),
      () => this.#publish(),
      () => this.#publish(),
      ...Array(2).fill(() => this.#tell()),
      () => this.#modify(),
      () => this.#hold(),
      () => this.#escalate(),
      () => this.#switchStop(),
      () => this.#switchTiers(),
      () => this.#foreignCheck(),
    ];
    acts[Math.floor(this.#random.next() * acts.length)]!();
  }

  #chance(share: number): boolean {
    return this.#random.next() < share;
  }

  #pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.#random.next() * all.length)]!;
  }

  #commit(text: string): string {
    return sha256Hex(text).slice(0, 40);
  }

  #time(second = this.#second): string {
    return new Date(1_767_225_600_000 + second * 1000).toISOString();
  }

  get #digest(): Digest {
    return this.#digestOf(this.#content);
  }

  #digestOf(content: number): Digest {
    return `sha256:${sha256Hex(`content ${content}`)}`;
  }

  /** As the forge github makes it: from the content and the second of its evidence. */
  get #ownCommit(): string {
    const evidence = this.#attestations.findLast(({ kind }) => kind === 'validation')!;
    return this.#commit(`${this.#digest} ${evidence.atMs}`);
  }

  #add(one: ReturnType<typeof draft>): void {
    const made = { ...one, id: `att_${this.#next++}`, proposalId: 'p', atMs: this.#second * 1000 };
    this.#attestations.push(made as Attestation);
  }

  #validate(): void {
    if (this.#state === 'deploying' || this.#state === 'over') return;
    this.#evidence += 1;
    const evidence = this.#evidence;
    const known = this.#made.get(this.#content);
    if (known === undefined)
      this.#made.set(this.#content, { edits: this.#edits, ...this.#around, evidence });
    else known.evidence = evidence;
    this.#state = 'pending';
    this.#add(draft('vetting', 'passed', this.#digest));
    const more = this.#helps ? { improvesTarget: true } : {};
    for (const one of validations('passed', this.#digest, more)) this.#add(one);
  }

  /** Hone's own effect: branch, and a check run with the present evidence. */
  #publish(): void {
    if (this.#stopped || this.#pull.state !== 'open' || this.#state !== 'pending') return;
    this.#setHead(this.#ownCommit, { content: this.#content, evidence: this.#evidence });
    this.#checks.push(this.#check(APP, evidenceDigest(this.#attestations, this.#digest)));
  }

  #check(app: number, evidence: string): CheckRun {
    return {
      ...{ id: this.#next++, head_sha: this.#head, name: CHECK_NAME, external_id: evidence },
      ...{ status: 'completed', conclusion: 'success', completed_at: this.#time() },
      app: { id: app },
    };
  }

  /** Somebody's own app says that all is well. */
  #foreignCheck(): void {
    this.#checks.push(this.#check(78, evidenceDigest(this.#attestations, this.#digest)));
  }

  #setHead(sha: string, holds: Saw | undefined): void {
    this.#head = sha;
    this.#headIsHones = holds;
    this.#pull = { ...this.#pull, head: { ...this.#pull.head, sha } };
  }

  #review(): void {
    const who = this.#pick(PEOPLE);
    const state = this.#pick([
      'APPROVED',
      'APPROVED',
      'APPROVED',
      'CHANGES_REQUESTED',
      'COMMENTED',
    ]);
    // Sometimes of a commit that was the head before.
    const old = this.#chance(0.2) ? this.#pick(this.#reviews) : undefined;
    this.#reviews.push({
      ...{ id: this.#next++, state, submitted_at: this.#time() },
      user: { id: who.id, login: who.login, type: who.type },
      commit_id: old?.commit_id ?? this.#head,
      who,
      saw: old === undefined ? this.#headIsHones : old.saw,
    });
  }

  #push(): void {
    this.#setHead(this.#commit(`pushed ${this.#next++}`), undefined);
  }

  #dismiss(): void {
    const at = Math.floor(this.#random.next() * this.#reviews.length);
    this.#reviews = this.#reviews.map((one, index) =>
      index === at && one.state !== 'COMMENTED' ? { ...one, state: 'DISMISSED' } : one,
    );
  }

  #edit(): void {
    const edits: readonly Partial<Pull>[] = [
      { title: 'APPROVED by ann', body: `Evidence ${'0'.repeat(64)}` },
      { draft: !this.#pull.draft },
      { state: 'closed' },
      { state: 'open' },
      { base: { ...this.#pull.base, ref: this.#pick(['main', 'main', 'release']) } },
    ];
    this.#pull = { ...this.#pull, ...this.#pick(edits) };
  }

  /** By a person with the button, squashed or not: Hone must not take it for its own. */
  #mergeOutside(): void {
    if (!this.#chance(0.15) || this.#pull.state !== 'open') return;
    const merge_commit_sha = this.#commit(`squash ${this.#next++}`);
    this.#pull = { ...this.#pull, state: 'closed', merged_at: this.#time(), merge_commit_sha };
    this.#base += 1;
  }

  /** Weaker tests may come with it: what was proven on the old base is proven no longer. Or nothing that matters does. */
  #moveBase(): void {
    if (!this.#chance(0.4)) return;
    this.#base += 1;
    const { depends, lineage, quality } = this.#around;
    this.#around = {
      depends: depends + (this.#chance(0.3) ? 1 : 0),
      lineage: lineage + (this.#chance(0.1) ? 1 : 0),
      quality: quality + (this.#chance(0.3) ? this.#pick([-1, 1]) : 0),
    };
  }

  #wait(): void {
    if (this.#chance(0.3)) this.#second += 4 * 86_400;
  }

  #switchStop(): void {
    this.#stopped = this.#chance(0.3);
  }

  #switchTiers(): void {
    this.#on = (['auto', 'notify'] as const).filter(() => this.#chance(0.4));
  }

  /** A word by command, about what is shown at the moment. */
  #tell(): void {
    if (this.#state !== 'pending' || !this.#chance(0.5)) return;
    const who = this.#pick(TYPISTS);
    const verified = this.#pick(['local', 'token', 'token'] as const);
    const actor: Actor = { ...who, verified };
    const word = this.#pick(['approved', 'approved', 'approved', 'wants', 'rejected'] as const);
    const saw = { content: this.#content, evidence: this.#evidence };
    if (word === 'rejected') {
      if (!this.#chance(0.2) || who.kind === 'agent') return;
      this.#state = 'over';
    } else if (word === 'wants') {
      if (who.kind === 'agent') return;
      this.#say(actor, 'changes_requested');
      this.#told.push({ who: who.id, verified, word: 'wants changes', saw, second: this.#second });
    } else {
      const isKept = this.#decide(actor);
      if (isKept && who.kind === 'human')
        this.#told.push({ who: who.id, verified, word: 'approved', saw, second: this.#second });
    }
  }

  /** Somebody edits it: other bytes, to be validated and decided anew. */
  #modify(): void {
    if (this.#state === 'deploying' || this.#state === 'over' || !this.#chance(0.3)) return;
    const { kind, id } = this.#pick(TYPISTS);
    if (kind === 'agent') return;
    const { modifiers = [] } = this.#proposal;
    const actor: Actor = { kind, id, verified: 'token' };
    this.#proposal = { ...this.#proposal, modifiers: [...modifiers, actor] };
    this.#edits += 1;
    this.#content += 1;
    this.#validate();
  }

  #hold(): void {
    if (this.#state === 'deploying' || this.#state === 'over') return;
    this.#isPaused = this.#chance(0.4);
    const actor: Actor = { kind: 'human', id: 'cid@example.org', verified: 'token' };
    this.#add(draft('hold', this.#isPaused ? 'paused' : 'resumed', this.#digest, { actor }));
  }

  #escalate(): void {
    if (this.#state !== 'pending' || !this.#chance(0.1)) return;
    this.#isEscalated = true;
    this.#say({ kind: 'human', id: 'dot@example.org', verified: 'local' }, 'escalated');
  }

  #say(
    actor: Actor,
    verdict: 'approved' | 'changes_requested' | 'escalated',
    tier: Tier = this.#isHighest ? 'require' : 'approve',
  ): void {
    const evidence = evidenceDigest(this.#attestations, this.#digest);
    this.#add(
      draft('decision', verdict, this.#digest, {
        ...{ actor, tier, evidenceDigest: evidence, target: TARGET },
      }),
    );
  }

  get #isHighest(): boolean {
    return this.#proposal.risk === 'high' || this.#isEscalated;
  }

  /** Whether the approval is kept: what the gate refuses is not, unless others' approvals are all that is missing. */
  #decide(actor: Actor, tier?: Tier): boolean {
    const before = this.#attestations.slice();
    this.#say(actor, 'approved', tier);
    const provenMakers = this.#reviewers();
    const verdict = decisionGate(this.#gate({ isReviewValid: true, provenMakers }));
    if (verdict.open) {
      this.#state = 'approved';
      this.#decidedBase = this.#base;
      return true;
    }
    if (verdict.missing.every((reason) => INCOMPLETE.includes(reason))) return true;
    this.#attestations = before;
    return false;
  }

  #gate(more: Partial<GateInput>): GateInput {
    const removed = this.#removed;
    const people = this.#owner === undefined ? [] : [this.#owner];
    const owned = people.length === 0 ? [] : [{ file: 'a', owners: ['@ann'], people }];
    const { modifiers = [], ...plain } = this.#proposal;
    const isEdited = modifiers.length > 0 && removed !== 'the editor';
    const without = (one: Attestation) =>
      (removed === 'the hold' && one.kind === 'hold') ||
      (removed === 'the request' && one.verdict === 'changes_requested') ||
      (removed === 'the escalation' && one.verdict === 'escalated');
    return {
      ...GATE,
      approvers:
        removed === 'the count' ? GATE.approvers : { approve: this.#needed, require: this.#needed },
      owned: removed === 'the owner' ? [] : owned,
      automaticTiers: removed === 'the switch' ? ['auto', 'notify'] : this.#on,
      stopped: this.#stopped,
      verification: { approve: 'local', require: this.#isForgeEnough ? 'forge' : 'token' },
      digest: this.#digest,
      content: isEdited ? { ...plain, modifiers } : plain,
      attestations: this.#attestations.filter((one) => !without(one)),
      carry: this.#carryFacts(),
      ...more,
    };
  }

  /** As the loop does before it asks: an approval of an earlier base, where the real gate lets it count. */
  #carry(): boolean {
    const newest = latestDecision(this.#attestations, this.#digest);
    const before = this.#attestations.findLast(
      (one): one is Attestation<'decision'> =>
        one.kind === 'decision' && ['approved', 'rejected', 'carried'].includes(one.verdict),
    );
    const named = before?.carried?.decisionId;
    const decided =
      before?.verdict === 'carried'
        ? (this.#attestations.find(({ id }) => id === named) as Attestation<'decision'>)
        : before;
    if (newest !== undefined || decided?.verdict !== 'approved') return false;
    const kept = this.#attestations.slice();
    const [fromBase, toBase] = [this.#commit(decided.contentDigest), this.#commit(this.#digest)];
    this.#add(
      draft('decision', 'carried', this.#digest, {
        ...{ actor: SYSTEM, tier: this.#isHighest ? 'require' : 'approve', target: TARGET },
        evidenceDigest: evidenceDigest(this.#attestations, this.#digest),
        carried: {
          ...{ decisionId: decided.id, fromBase, toBase },
          fromDigest: decided.contentDigest as Digest,
        },
      }),
    );
    const provenMakers = this.#reviewers();
    if (decisionGate(this.#gate({ isReviewValid: false, provenMakers })).open) {
      this.carried += 1;
      this.#state = 'approved';
      return true;
    }
    this.#attestations = kept;
    return false;
  }

  /** Found out anew each time, from the world as it is. */
  #carryFacts() {
    const newest = latestDecision(this.#attestations, this.#digest);
    if (newest?.carried === undefined) return undefined;
    const { decisionId, fromDigest, ...bases } = newest.carried;
    const from = [...this.#made.keys()].find((one) => this.#digestOf(one) === fromDigest)!;
    const decided = this.#attestations.find(({ id }) => id === decisionId)!;
    return factsOf(
      bases,
      {
        ...{ before: this.#made.get(from)!, now: this.#made.get(this.#content)! },
        ...{ nowMs: this.#second * 1000, decidedMs: decided.atMs },
      },
      this.#removed,
    );
  }

  #judge() {
    const rules: ReviewRules = {
      ...{ base: 'main', branch: 'hone/proposal-p', head: this.#ownCommit, appId: APP },
      evidenceDigest: evidenceDigest(this.#attestations, this.#digest),
      people: LISTED,
      agents: AGENTS,
    };
    const state = { pull: this.#pull, reviews: this.#reviews, checks: this.#checks };
    return judgeReviews(...this.#without(state, rules));
  }

  /** With one protection taken out: what it would have looked at is made to fit. */
  #without(
    state: { pull: Pull; reviews: readonly KeptReview[]; checks: readonly CheckRun[] },
    rules: ReviewRules,
  ): Parameters<typeof judgeReviews> {
    switch (this.#removed) {
      case 'the head': {
        const { head } = rules;
        const reviews = state.reviews.map((one) => ({ ...one, commit_id: head }));
        return [{ ...state, reviews }, rules];
      }
      case 'the account': {
        const people = PEOPLE.map(({ id: userId, person }) => ({ userId, person }));
        return [state, { ...rules, people, agents: [] }];
      }
      case 'the evidence': {
        const checks = state.checks.map((one) => ({
          ...{ ...one, external_id: rules.evidenceDigest, head_sha: rules.head },
          completed_at: '2000-01-01T00:00:00Z',
        }));
        return [{ ...state, checks }, rules];
      }
      default:
        return [state, rules];
    }
  }

  /** What Hone's loop does in each state, as the adapters do it. */
  #step(): void {
    if (this.#state === 'over' || this.#stopped) return;
    // A person holds it: only what others do to the pull request is seen.
    const isHeld = this.#isPaused && this.#state !== 'deploying' && this.#removed !== 'the hold';
    if (this.#pull.merged_at !== null) {
      this.outside += 1;
      this.#state = 'over';
      return;
    }
    if (isHeld) return;
    if (this.#base !== this.#decidedBase && this.#state !== 'deploying') {
      this.#decidedBase = this.#base;
      this.#content += 1;
      this.#validate();
      return;
    }
    if (this.#state === 'pending') {
      this.#look();
      return;
    }
    const review = this.#isReviewStillThere();
    if (this.#state === 'approved') {
      if (!review) {
        this.#validate();
        return;
      }
      this.#add(draft('backup', 'made', this.#digest));
      const provenMakers = this.#reviewers();
      const { open } = deployGate(this.#gate({ isReviewValid: review, provenMakers }));
      const { actor } = latestDecision(this.#attestations, this.#digest)!;
      this.#onAtStart = this.#on;
      if (open) this.#state = 'deploying';
      // Also where no tier decides it without a person any more: it is validated, and people are asked.
      else if (this.#carryFacts() !== undefined || actor.kind === 'system') this.#validate();
      return;
    }
    if (!review) return;
    // The branch moves from the decided base or not at all.
    this.#state = 'over';
    if (this.#base === this.#decidedBase) this.#deployed();
  }

  /** Each review is a decision of its own, until they are enough. */
  #look(): void {
    if (this.#carry()) return;
    const tier = tierOf(this.#gate({}));
    if ((tier === 'auto' || tier === 'notify') && this.#decide(SYSTEM, tier)) return;
    const answer = this.#judge();
    if (answer.is !== 'approved') return;
    for (const { person, at } of answer.approvals) {
      if (this.#state !== 'pending') return;
      const said = latestByPerson(this.#attestations, this.#digest);
      const evidence = evidenceDigest(this.#attestations, this.#digest);
      const isKnown = said.some(
        (one) =>
          one.actor.id === person &&
          (one.verdict === 'approved'
            ? one.evidenceDigest === evidence
            : one.atMs + Date.UTC(2026, 0, 1) >= Date.parse(at)),
      );
      if (!isKnown) this.#decide({ kind: 'human', id: person, verified: 'forge' });
    }
  }

  /** Whose review approves it now. */
  #reviewers(): string[] {
    const answer = this.#judge();
    return answer.is === 'approved' ? answer.approvals.map(({ person }) => person) : [];
  }

  #isReviewStillThere(): boolean {
    if (this.#removed === 'the second look') return true;
    const reviewers = this.#reviewers();
    return latestByPerson(this.#attestations, this.#digest)
      .filter(({ verdict, actor }) => verdict === 'approved' && actor.verified === 'forge')
      .every(({ actor }) => reviewers.includes(actor.id));
  }

  /**
   * By what people saw and said, and nothing that Hone wrote down: about this very content and evidence, or about one
   * content before it that nothing since makes doubtful.
   */
  #deployed(): void {
    this.deployments += 1;
    const now = this.#made.get(this.#content)!;
    const wrong = this.#wrongWith(this.#content);
    if (wrong.length === 0) return;
    const isCarriedRightly = [...this.#made].some(([content, then]) => {
      if (content === this.#content || this.#isHighest) return false;
      const yes = this.#told.filter(
        ({ word, saw }) => word === 'approved' && saw.content === content,
      );
      const newest = Math.max(...yes.map(({ second }) => second));
      const isFit = isCarriable(then, now, this.#second - newest);
      return yes.length > 0 && isFit && this.#wrongWith(content).length === 0;
    });
    if (!isCarriedRightly) this.violations.push(...wrong);
  }

  /** Of low risk, as its generator made it, raised by nobody, and its tier was on when the deployment began. */
  #mayBeAlone(): boolean {
    const { risk, modifiers } = this.#proposal;
    const tier = this.#helps ? 'auto' : 'notify';
    const isPlain = risk === 'low' && modifiers === undefined && !this.#isEscalated;
    return isPlain && this.#onAtStart.includes(tier);
  }

  /** Where the words that people typed are about this content, and their reviews about what is there now. */
  #wrongWith(content: number): string[] {
    const about = { content, evidence: this.#made.get(content)!.evidence };
    const now = { content: this.#content, evidence: this.#evidence };
    const isSeen = (saw: Saw | undefined, what: Saw) =>
      saw?.content === what.content && saw.evidence === what.evidence;
    const byCommand = (verified: Actor['verified']) =>
      !this.#isHighest || (!this.#isForgeEnough && verified === 'token');
    const newest = new Map<number, KeptReview>();
    for (const one of this.#reviews)
      if (one.who.may && one.state !== 'COMMENTED') newest.set(one.who.id, one);
    const said = [...newest.values()];
    const wrong: string[] = [];
    const approving = new Set<string>();
    for (const { id } of TYPISTS) {
      const contents = [content, this.#content];
      const last = this.#told.findLast(
        ({ who, saw }) => who === id && contents.includes(saw.content),
      );
      const isTakenBack = said.some(
        ({ who, state, saw, submitted_at: at }) =>
          who.may &&
          who.person === id &&
          state === 'APPROVED' &&
          isSeen(saw, now) &&
          Date.parse(at!) > Date.parse(this.#time(last?.second)),
      );
      if (last?.word === 'wants changes' && !isTakenBack) wrong.push('somebody wanted changes');
      const isYes =
        last?.word === 'approved' && isSeen(last.saw, about) && byCommand(last.verified);
      if (isYes) approving.add(id);
    }
    const isRefused = said.some(({ state }) => state === 'CHANGES_REQUESTED');
    const mayReview = !isRefused && (!this.#isHighest || this.#isForgeEnough);
    for (const { state, saw, who } of said)
      if (mayReview && state === 'APPROVED' && isSeen(saw, now)) approving.add(who.person);
    const editors = this.#proposal.modifiers?.map(({ id }) => id) ?? [];
    const all = [...approving];
    if (this.#isPaused) wrong.push('deployed while it was paused');
    const isAlone = this.#mayBeAlone();
    if (isAlone && wrong.length === 0 && all.length < this.#needed) this.alone += 1;
    if (!isAlone && all.length < this.#needed) wrong.push('deployed without a fitting decision');
    if (editors.length > 0 && all.every((id) => editors.includes(id)))
      wrong.push('approved only by who edited it');
    if (this.#owner !== undefined && !approving.has(this.#owner))
      wrong.push('not approved by its owner');
    return wrong;
  }
}
