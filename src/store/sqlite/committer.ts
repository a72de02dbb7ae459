/**
 * Group commit on one SQLite connection.
 *
 * Plans that arrive in the same turn of the event loop share one transaction and one sync; a refused
 * or faulty plan takes nothing of the others with it. States:
 *
 *   idle ──commit()──► gathering ──next turn──► writing ──┬─ queue empty ─► idle
 *                          │          ▲                   └─ queue filled ─► writing
 *                          │          └── busy: the lock is another process's; wait, try again
 *                          └── what a commit has just woken: in the same turn, a few times
 *
 * The connection never waits for a lock by itself (`timeout` 0): a blocked event loop would stop
 * everything else in the process. Waiting is a jittered sleep, its length measured in `bench ledger`.
 */
import type { DatabaseSync, StatementResultingChanges, StatementSync } from 'node:sqlite';
import { assert, type Clock, nextTurn, type Random } from '../../base/index.ts';
import type { EntryDraft } from '../../facts/index.ts';
import {
  claimStatement,
  expectationStatement,
  type Guard,
  guardOf,
  type SingleWrite,
  type Statement,
  writeStatement,
  writeStatements,
} from '../plan-sql.ts';
import type {
  Claim,
  CommitParts,
  CommitResult,
  EntryWriter,
  Expectation,
  Plan,
  Row,
  SyncRead,
  Write,
} from '../types.ts';
import { isBusy, isOwnFault, isRefusedByTrigger, storeError } from './faults.ts';

/** Bounds how long one transaction can hold the event loop and the write lock. */
const PLANS_PER_TRANSACTION_MAX = 256;
/** How many may be written before the event loop turns and others get their time: about 1 ms. */
const PLANS_PER_TURN_MAX = 4;
/** After another process wrote, so many transactions leave it the turns in between. */
const SHARED_FOR = 256;
const LOCK_WAIT_MS_MAX = 30_000;
/** Four processes appending: p99 of 27 to 31 ms with 2, 30 to 39 ms with 4. */
const RETRY_MS_MAX = 2;

interface Result {
  /** Whether anything was written. */
  readonly committed: boolean;
}

interface Claimed extends Result {
  readonly row: Row | undefined;
}

interface Pending {
  readonly attempt: () => Result;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly result: Result } | { readonly error: unknown };

export interface CommitterOptions {
  readonly database: DatabaseSync;
  readonly location: string;
  readonly clock: Clock;
  /** Waiting for another process is real time, even if the rest of the process is simulated. */
  readonly waitClock: Clock;
  readonly random: Random;
  readonly parts: CommitParts | undefined;
}

export class Committer {
  readonly #options: CommitterOptions;
  readonly #statements = new Map<string, StatementSync>();
  #queue: Pending[] = [];
  #running: Promise<void> | undefined;
  /** Counts down from the last sign of another process that writes. */
  #shared = 0;
  /** Plans written since the event loop last turned, while nothing ran but what they woke; else none. */
  #inTurn = 0;
  /** The ledger's end as of our last commit; another process may have gone on since. */
  #tip: unknown;
  /** Whether it is known to be the end, because it was read or used in the open transaction. */
  #tipIsCurrent = false;

  constructor(options: CommitterOptions) {
    this.#options = options;
  }

  commit(plan: Plan): Promise<CommitResult> {
    return this.#enqueue(() => this.#commit(plan));
  }

  async claim(claim: Claim): Promise<Row | undefined> {
    return (await this.#enqueue(() => this.#claim(claim))).row;
  }

  #enqueue<R extends Result>(attempt: () => R): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ attempt, resolve: resolve as Pending['resolve'], reject });
      this.#running ??= this.#run();
    });
  }

  /** Resolves when everything handed in was committed or refused. */
  async drained(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    await this.#gather();
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, PLANS_PER_TRANSACTION_MAX);
      try {
        await this.#begin();
        this.#write(batch);
      } catch (error) {
        const fault = storeError(error, this.#options.location);
        for (const pending of batch) pending.reject(fault);
      }
      this.#countInTurn(batch.length);
      if (this.#queue.length > 0) await nextTurn();
    }
    this.#running = undefined;
  }

  /**
   * Lets others in to share the transaction: requests that wait are read in the next turn. Whoever goes on
   * from one commit to the next has nobody to wait for, and the turn would be 13 µs of each. Where another
   * process writes too, going on at once would keep the lock from it: its slowest commits took a third more.
   */
  async #gather(): Promise<void> {
    const isLast = this.#inTurn >= PLANS_PER_TURN_MAX || this.#shared > 0;
    if (this.#inTurn === 0 || isLast) await nextTurn();
  }

  #countInTurn(plans: number): void {
    if (this.#shared > 0) this.#shared -= 1;
    if (this.#inTurn === 0) {
      // Runs once all that the commits woke has come to a stop.
      process.nextTick(() => {
        this.#inTurn = 0;
      });
    }
    this.#inTurn += plans;
  }

  /** Takes the write lock. Throws `busy` when another process kept it for too long. */
  async #begin(): Promise<void> {
    const { waitClock, random, database } = this.#options;
    const startMs = waitClock.monotonicMs();
    for (let attempt = 1; ; attempt++) {
      try {
        this.#statement('BEGIN IMMEDIATE').run();
        return;
      } catch (error) {
        if (!isBusy(error) || waitClock.monotonicMs() - startMs > LOCK_WAIT_MS_MAX) throw error;
        assert(!database.isTransaction, 'a refused BEGIN leaves no transaction');
        this.#shared = SHARED_FOR;
        await waitClock.sleep(random.next() * Math.min(RETRY_MS_MAX, attempt));
      }
    }
  }

  #write(batch: readonly Pending[]): void {
    const { database } = this.#options;
    let outcomes: Outcome[];
    this.#tipIsCurrent = false;
    try {
      const tipBefore = this.#tip;
      outcomes = this.#attemptAll(batch);
      const committed = outcomes.some((outcome) => 'result' in outcome && outcome.result.committed);
      if (committed) {
        this.#statement('COMMIT').run();
      } else {
        rollBack(database);
        this.#tip = tipBefore;
      }
    } catch (error) {
      // Nothing of this transaction is acknowledged. The file's state is read again.
      this.#tip = undefined;
      rollBack(database);
      throw error;
    }
    outcomes.forEach((outcome, index) => {
      const pending = batch[index]!;
      if ('result' in outcome) pending.resolve(outcome.result);
      else pending.reject(storeError(outcome.error, this.#options.location));
    });
  }

  /**
   * A refused plan has written nothing. A faulty one may have; that is rare, so all begin anew then, each
   * with a savepoint of its own. Two statements for each plan in every batch took a tenth of its time.
   */
  #attemptAll(batch: readonly Pending[]): Outcome[] {
    if (batch.length === 1) return [this.#attempt(batch[0]!)];
    this.#statement('SAVEPOINT batch').run();
    const before = this.#tip;
    const outcomes: Outcome[] = [];
    for (const pending of batch) {
      const outcome = this.#attempt(pending);
      if ('error' in outcome) {
        this.#statement('ROLLBACK TO batch').run();
        this.#tip = before;
        this.#tipIsCurrent = false;
        return batch.map((each) => this.#attemptApart(each));
      }
      outcomes.push(outcome);
    }
    return outcomes;
  }

  /** One plan, which undoes itself alone. */
  #attemptApart(pending: Pending): Outcome {
    this.#statement('SAVEPOINT plan').run();
    const before = { tip: this.#tip, isCurrent: this.#tipIsCurrent };
    const outcome = this.#attempt(pending);
    if ('error' in outcome) {
      this.#tip = before.tip;
      this.#tipIsCurrent = before.isCurrent;
      this.#statement('ROLLBACK TO plan').run();
    }
    this.#statement('RELEASE plan').run();
    return outcome;
  }

  /** After a fault of its own a plan may be half written. */
  #attempt({ attempt }: Pending): Outcome {
    try {
      return { result: attempt() };
    } catch (error) {
      if (!isOwnFault(error) || !this.#options.database.isTransaction) throw error;
      return { error };
    }
  }

  #commit(plan: Plan): CommitResult {
    const { expect = [], writes = [] } = plan;
    const guard = guardOf(expect, writes);
    const refused = this.#refused(expect, writes, guard);
    if (refused !== undefined) return { committed: false, refused };
    this.#apply(plan, guard);
    return { committed: true };
  }

  #claim(claim: Claim): Claimed {
    const { sql, parameters } = claimStatement(claim, 'sqlite');
    const [row] = this.#statement(sql).all(...parameters) as Row[];
    return { committed: row !== undefined, row };
  }

  /** Asks first and changes then, so that a refused plan has changed nothing. */
  #refused(
    expect: readonly Expectation[],
    writes: readonly Write[],
    guard: Guard | undefined,
  ): Expectation | undefined {
    const failed = expect.find((expectation, at) => {
      if (at === guard?.expectation) return false;
      const { sql, parameters } = expectationStatement(expectation, 'sqlite');
      const found = this.#statement(sql).get(...parameters) !== undefined;
      return found !== (expectation.exists ?? true);
    });
    if (failed !== undefined || guard === undefined) return failed;
    const update = writes[guard.write] as SingleWrite;
    const { changes } = this.#execute(writeStatement(update, 'sqlite'));
    return changes === 0 ? expect[guard.expectation] : undefined;
  }

  #apply(plan: Plan, guard: Guard | undefined): void {
    const { parts, clock } = this.#options;
    const { writes = [], entries = [], effects = [] } = plan;
    assert(
      parts !== undefined || entries.length + effects.length === 0,
      'this file keeps no ledger and no effects',
    );
    if (entries.length > 0) this.#append(parts!.entries, entries);
    writes.forEach((write, at) => {
      if (at !== guard?.write) this.#do(write);
    });
    if (effects.length === 0) return;
    for (const write of parts!.effects(effects, clock.nowMs())) this.#do(write);
  }

  /**
   * The tip we know is used unread: the table refuses an entry that is not at its end, and only then
   * it is read. Reading it for every commit took 10 µs of each.
   */
  #append(writer: EntryWriter, entries: readonly EntryDraft[]): void {
    if (this.#tip === undefined) this.#readTip(writer);
    try {
      this.#place(writer, entries);
    } catch (error) {
      if (this.#tipIsCurrent || !isRefusedByTrigger(error)) throw error;
      this.#shared = SHARED_FOR;
      this.#readTip(writer);
      this.#place(writer, entries);
    }
    this.#tipIsCurrent = true;
  }

  #place(writer: EntryWriter, entries: readonly EntryDraft[]): void {
    const placed = writer.place(this.#tip, entries, this.#options.clock.nowMs());
    for (const write of placed.writes) this.#do(write);
    this.#tip = placed.tip;
  }

  #readTip(writer: EntryWriter): void {
    this.#tip = writer.tip(this.#read);
    this.#tipIsCurrent = true;
  }

  #read: SyncRead = (sql, parameters = []) => this.#statement(sql).all(...parameters) as Row[];

  #do(write: Write): void {
    for (const statement of writeStatements(write, 'sqlite')) this.#execute(statement);
  }

  #execute({ sql, parameters }: Statement): StatementResultingChanges {
    return this.#statement(sql).run(...parameters);
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#options.database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** The first fault is the one to report; that the disk refuses the rollback too adds nothing. */
function rollBack(database: DatabaseSync): void {
  try {
    if (database.isTransaction) database.exec('ROLLBACK');
  } catch {
    // SQLite undoes an unfinished transaction when the file is next opened.
  }
}
