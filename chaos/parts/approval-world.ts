/**
 * A repository on a forge in memory, where people, agents and strangers do things in any order, and a Hone of pure parts:
 * the real gate and the real judgement of reviews over what the forge says. The world writes down what each person was
 * looking at when they acted; the checker judges deployments by that alone, and shares no code with either.
 */
import { type Random, sha256Hex } from '../../src/base/index.ts';
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
} from '../../src/facts/index.ts';
import {
  decisionGate,
  deployGate,
  evidenceDigest,
  type GateInput,
  INCOMPLETE,
  latestByPerson,
} from '../../src/proposal/index.ts';
import { draft, GATE, makeContent, TARGET, validations } from '../../test/proposals.ts';

/** What is taken out for a control. */
export type Removed =
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
  #proposal: Pick<ProposalContent, 'type' | 'risk' | 'proposer' | 'modifiers'>;

  constructor(random: Random, removed: Removed) {
    this.#random = random;
    this.#removed = removed;
    this.#isForgeEnough = this.#chance(0.6);
    this.#needed = this.#chance(0.3) ? 2 : 1;
    this.#owner = this.#chance(0.3) ? 'ann@example.org' : undefined;
    const { type } = makeContent();
    this.#proposal = { type, proposer: SYSTEM, risk: this.#chance(0.3) ? 'high' : 'medium' };
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
      () => this.#moveBase(),
      () => this.#validate(),
      () => this.#publish(),
      () => this.#publish(),
      ...Array(2).fill(() => this.#tell()),
      () => this.#modify(),
      () => this.#hold(),
      () => this.#escalate(),
      () => this.#switchStop(),
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

  get #digest(): string {
    return `sha256:${sha256Hex(`content ${this.#content}`)}`;
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
    this.#state = 'pending';
    this.#add(draft('vetting', 'passed', this.#digest));
    for (const one of validations('passed', this.#digest)) this.#add(one);
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

  /** Weaker tests come with it: what was proven on the old base is proven no longer. */
  #moveBase(): void {
    if (!this.#chance(0.4)) return;
    this.#base += 1;
  }

  #switchStop(): void {
    this.#stopped = this.#chance(0.3);
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

  #say(actor: Actor, verdict: 'approved' | 'changes_requested' | 'escalated'): void {
    const tier = this.#isHighest ? 'require' : 'approve';
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
  #decide(actor: Actor): boolean {
    const before = this.#attestations.slice();
    this.#say(actor, 'approved');
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
      stopped: this.#stopped,
      verification: { approve: 'local', require: this.#isForgeEnough ? 'forge' : 'token' },
      digest: this.#digest,
      content: isEdited ? { ...plain, modifiers } : plain,
      attestations: this.#attestations.filter((one) => !without(one)),
      ...more,
    };
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
      if (open) this.#state = 'deploying';
      return;
    }
    if (!review) return;
    // The branch moves from the decided base or not at all.
    this.#state = 'over';
    if (this.#base === this.#decidedBase) this.#deployed();
  }

  /** Each review is a decision of its own, until they are enough. */
  #look(): void {
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

  /** By what people saw and said, and nothing that Hone wrote down. */
  #deployed(): void {
    this.deployments += 1;
    const now = { content: this.#content, evidence: this.#evidence };
    const isAbout = (saw: Saw | undefined) =>
      saw?.content === now.content && saw.evidence === now.evidence;
    const byCommand = (verified: Actor['verified']) =>
      !this.#isHighest || (!this.#isForgeEnough && verified === 'token');
    const newest = new Map<number, KeptReview>();
    for (const one of this.#reviews)
      if (one.who.may && one.state !== 'COMMENTED') newest.set(one.who.id, one);
    const said = [...newest.values()];
    const approving = new Set<string>();
    for (const { id } of TYPISTS) {
      const last = this.#told.findLast(({ who, saw }) => who === id && saw.content === now.content);
      const isTakenBack = said.some(
        ({ who, state, saw, submitted_at: at }) =>
          who.may &&
          who.person === id &&
          state === 'APPROVED' &&
          isAbout(saw) &&
          Date.parse(at!) > Date.parse(this.#time(last?.second)),
      );
      if (last?.word === 'wants changes' && !isTakenBack)
        this.violations.push('somebody wanted changes');
      const isYes = last?.word === 'approved' && isAbout(last.saw) && byCommand(last.verified);
      if (isYes) approving.add(id);
    }
    const isRefused = said.some(({ state }) => state === 'CHANGES_REQUESTED');
    const mayReview = !isRefused && (!this.#isHighest || this.#isForgeEnough);
    for (const { state, saw, who } of said)
      if (mayReview && state === 'APPROVED' && isAbout(saw)) approving.add(who.person);
    const editors = this.#proposal.modifiers?.map(({ id }) => id) ?? [];
    const all = [...approving];
    if (this.#isPaused) this.violations.push('deployed while it was paused');
    if (all.length < this.#needed) this.violations.push('deployed without a fitting decision');
    if (editors.length > 0 && all.every((id) => editors.includes(id)))
      this.violations.push('approved only by who edited it');
    if (this.#owner !== undefined && !approving.has(this.#owner))
      this.violations.push('not approved by its owner');
  }
}
