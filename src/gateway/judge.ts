/**
 * The verdict on a call: the decision, in the mode that is in effect, with its record. What passes at level 0 needs
 * no record; everything else is recorded before it passes or is refused. Closed on failure: what cannot be judged or
 * recorded does not pass, unless the gate only observes.
 */
import { type Digest, digestOf, type Json, type NewId } from '../base/index.ts';
import type { Actor, EntryPayload, TaskContext } from '../facts/index.ts';
import type { Switched } from '../policy/at-start.ts';
import type { Plan, Store } from '../store/index.ts';
import { askedWrite, openAsks, usePlan } from './ask-store.ts';
import { ContractBook } from './contracts.ts';
import { decide, type Ground, markOf } from './decide.ts';
import { markPlan, marksOf } from './mark-store.ts';
import { fullName, isPlainToolName } from './names.ts';
import { type Canonical, guardedPaths, type SecretPaths, secretPathIn } from './secret-paths.ts';
import { OUTPUT_MAX } from './shipped-contracts.ts';
import { shownArguments } from './shown-arguments.ts';
import type {
  Ask,
  Call,
  Caller,
  Contract,
  Decision,
  GatewaySettings,
  Reason,
  Standing,
  TaskContexts,
  Verdict,
} from './types.ts';

export interface JudgePorts {
  readonly store: Store;
  /** The gate's mode now. It never throws: what cannot be read is enforced. */
  readonly mode: () => Promise<Switched>;
  readonly contexts: TaskContexts;
  /** Both as rows that were kept and are still the same; throws where that cannot be told, and then each is read. */
  readonly standing?: (caller: Caller) => Promise<Standing>;
  readonly settings: GatewaySettings;
  readonly newId: NewId;
  /** Whether the ledger says that a person approved it: a row alone proves nothing. */
  readonly isAnswered: (ask: Ask) => Promise<boolean>;
}

/** Kinds of the sanitiser that open something. */
const SECRETS: ReadonlySet<string> = new Set([
  ...['private_key', 'header', 'connection', 'api_key', 'jwt', 'bearer', 'basic', 'key'],
]);
/** Of an output, so much is looked at for secrets; a longer one counts as if it held one only where it does so far. */
const OUTPUT_LOOKED_AT = 256 * 1024;

const NO_MARKS: ReadonlySet<string> = new Set();

/** One call while it is judged. */
interface Judged {
  readonly call: Call;
  readonly caller: Caller;
  readonly name: string;
  readonly subject: string;
  readonly contract: Contract | undefined;
  readonly context: TaskContext | undefined;
  readonly decision: Decision;
  readonly nowMs: number;
  readonly unchanged: Switched['unchanged'];
}

/** The mode, and the rest of what holds where it was kept. */
interface Holding {
  readonly switched: Switched;
  readonly standing: Standing | undefined;
}

export class Judge {
  readonly #ports: JudgePorts;
  readonly #book: ContractBook;
  readonly #guardedPaths: SecretPaths;

  constructor(ports: JudgePorts) {
    this.#ports = ports;
    this.#book = new ContractBook(ports.settings.contracts);
    this.#guardedPaths = guardedPaths(ports.settings.guardedPaths);
  }

  /** Never throws. */
  async judge(call: Call, caller: Caller): Promise<Verdict> {
    const contract = this.contractOf(call);
    const maxOutput = contract?.maxOutput ?? OUTPUT_MAX;
    const standing = await this.#standing(caller);
    const switched = standing?.switched ?? (await this.#ports.mode());
    const mode = switched.mode === 'off' ? 'off' : (contract?.mode ?? switched.mode);
    const passing = { passes: true, level: 0, reasons: [], maxOutput, context: undefined } as const;
    if (mode === 'off') return { ...passing, observed: true };
    const observed = mode === 'observe';
    try {
      const judged = await this.#decide(call, caller, contract, { switched, standing });
      const { decision, context } = judged;
      const about = { level: decision.level, reasons: decision.reasons, maxOutput, context };
      if (decision.level === 0 && decision.marks.length === 0) {
        return { ...about, passes: true, observed };
      }
      const verdict = await (observed ? this.#observe(judged) : this.#enforce(judged));
      return { ...about, observed, ...verdict };
    } catch (error) {
      const text = `The call could not be judged (${error instanceof Error ? error.name : 'a fault'}), so it is refused.`;
      const reasons: Reason[] = [{ code: 'undecided', level: 3, text }];
      return { passes: observed, level: 3, reasons, observed, maxOutput, context: undefined };
    }
  }

  contractOf({ server, tool }: Pick<Call, 'server' | 'tool'>): Contract | undefined {
    if (!isPlainToolName(server) || !isPlainToolName(tool)) return undefined;
    return this.#book.of(fullName(server, tool));
  }

  /** What came back. A secret in it makes the session one that read a secret, however it was read. */
  async noteOutput(caller: Caller, output: string): Promise<void> {
    const { settings, store } = this.#ports;
    const marks = settings.combinations.filter(({ after }) => after === 'secret').map(markOf);
    if (marks.length === 0 || output.length < 8) return;
    if (!(await holdsSecret(output.slice(0, OUTPUT_LOOKED_AT)))) return;
    const nowMs = await store.nowMs();
    const known = await marksOf(store, caller.session, nowMs - settings.remember / 2);
    const fresh = marks.filter((mark) => !known.has(mark));
    if (fresh.length === 0) return;
    const subject = subjectOf(caller, undefined);
    await store.commit(markPlan(caller.session, fresh, { actor: actorOf(caller), subject, nowMs }));
  }

  async #decide(
    call: Call,
    caller: Caller,
    contract: Contract | undefined,
    { switched: { unchanged }, standing }: Holding,
  ): Promise<Judged> {
    const { store, settings } = this.#ports;
    const given = call.beside === undefined ? call.arguments : [call.arguments, call.beside];
    const text = JSON.stringify(given) ?? '';
    const mayCombine =
      contract?.sends !== 'never' || settings.combinations.some(({ next }) => next !== 'sends');
    // What is there already is not waited for: each turn is a part of what a call costs.
    const reading = standing === undefined ? contextOf(this.#ports.contexts, caller) : undefined;
    // Something else may fail first, and nobody would wait for it then.
    reading?.catch(() => {});
    const sinceMs = mayCombine ? (await store.nowMs()) - settings.remember : 0;
    const marks = mayCombine ? await marksOf(store, caller.session, sinceMs) : NO_MARKS;
    const argumentsHoldSecret = contract?.sends === 'never' ? false : await holdsSecret(text);
    const canonical = isPlain(text) ? undefined : await canonicalForm();
    const context = reading === undefined ? standing?.context : await reading;
    const ground: Ground = {
      combinations: settings.combinations,
      uncontracted: settings.uncontracted,
      requireTask: settings.requireTask,
      secretPath: secretPathIn(given, this.#guardedPaths, canonical),
      argumentsBytes: Buffer.byteLength(text),
    };
    const decision = decide(call, contract, context, { marks, argumentsHoldSecret }, ground);
    const name =
      isPlainToolName(call.server) && isPlainToolName(call.tool)
        ? fullName(call.server, call.tool)
        : '(not-plain)';
    const subject = subjectOf(caller, context);
    // What passes without a record has no time.
    const isRecorded = decision.level > 0 || decision.marks.length > 0;
    const nowMs = isRecorded ? await store.nowMs() : 0;
    return { call, caller, name, subject, contract, context, decision, nowMs, unchanged };
  }

  async #standing(caller: Caller): Promise<Standing | undefined> {
    try {
      return await this.#ports.standing?.(caller);
    } catch {
      return undefined;
    }
  }

  async #observe(judged: Judged): Promise<Pick<Verdict, 'passes'>> {
    const { decision, unchanged } = judged;
    const type = decision.level >= 2 ? 'gateway.let_pass' : 'gateway.passed';
    const result = await this.#ports.store.commit({
      ...(await this.#record(judged, type)),
      // Set to enforce meanwhile, it does not pass after all.
      expect: unchanged,
    });
    return { passes: result.committed };
  }

  async #enforce(judged: Judged): Promise<Pick<Verdict, 'passes' | 'ask' | 'reasons'>> {
    const { store } = this.#ports;
    const { decision } = judged;
    const { reasons } = decision;
    if (decision.level === 2) return this.#ask(judged);
    const passes = decision.level < 3;
    const type = passes ? 'gateway.passed' : 'gateway.refused';
    const { committed } = await store.commit(await this.#record(judged, type));
    return { passes: passes && committed, reasons };
  }

  /** An answer that is there already, or the question. */
  async #ask(judged: Judged): Promise<Pick<Verdict, 'passes' | 'ask' | 'reasons'>> {
    const { store, settings, newId } = this.#ports;
    const { decision, subject, nowMs, call, contract } = judged;
    const { reasons } = decision;
    const callDigest = digestOfCall(call);
    const asks = await openAsks(store, { callDigest, subject, nowMs });
    const approved = asks.find(({ state }) => state === 'approved');
    if (approved !== undefined && (await this.#ports.isAnswered(approved))) {
      const plan = usePlan(approved, actorOf(judged.caller));
      const marks = this.#marks(judged);
      const { committed } = await store.commit({
        expect: plan.expect!,
        writes: [...plan.writes!, ...marks.writes],
        entries: [...plan.entries!, ...marks.entries],
      });
      if (committed) return { passes: true, reasons };
    }
    const rejected = asks.find(({ state }) => state === 'rejected');
    if (rejected !== undefined) {
      const text = `A person said no to this call (${rejected.id}).`;
      await store.commit(await this.#record(judged, 'gateway.refused', false));
      return { passes: false, reasons: [{ code: 'rejected', level: 3, text }, ...reasons] };
    }
    const waiting = asks.find(({ state }) => state === 'waiting');
    if (waiting !== undefined) return { passes: false, reasons, ask: waiting };
    const data: EntryPayload<'gateway.asked'> = {
      ...(await payloadOf(judged)),
      askId: newId('ask'),
      expiresAtMs: nowMs + settings.askExpires,
      shown: await shownArguments(call.arguments, contract?.redact ?? []),
    };
    await store.commit({
      writes: [askedWrite(subject, data, nowMs)],
      entries: [
        { type: 'gateway.asked', actor: actorOf(judged.caller), subject, data, atMs: nowMs },
      ],
    });
    const { askId: id, expiresAtMs, tool, why, shown } = data;
    const ask = { id, callDigest, expiresAtMs, tool, why, shown };
    return { passes: false, reasons, ask };
  }

  async #record(
    judged: Judged,
    type: 'gateway.passed' | 'gateway.refused' | 'gateway.let_pass',
    withMarks = type !== 'gateway.refused',
  ): Promise<Required<Pick<Plan, 'writes' | 'entries'>>> {
    const { caller, decision, subject, nowMs } = judged;
    const actor = actorOf(caller);
    const data = { ...(await payloadOf(judged)), level: decision.level };
    const marks = withMarks ? this.#marks(judged) : { writes: [], entries: [] };
    return {
      writes: marks.writes,
      entries: [{ type, actor, subject, data, atMs: nowMs }, ...marks.entries],
    };
  }

  #marks({ caller, decision, subject, nowMs }: Judged) {
    return markPlan(caller.session, decision.marks, { actor: actorOf(caller), subject, nowMs });
  }
}

/** Where the caller's task stands; undefined without one. */
export async function contextOf(
  contexts: TaskContexts,
  { task, session }: Pick<Caller, 'task' | 'session'>,
): Promise<TaskContext | undefined> {
  if (task !== undefined) return contexts.ofTask(task);
  return session === undefined ? undefined : contexts.ofSession(session);
}

/** What an answer is about: the same tool of the same server with the same arguments. */
export function digestOfCall({ server, tool, arguments: given, beside }: Call): Digest {
  const rest = beside === undefined ? {} : { beside };
  return digestOf({ server, tool, arguments: given ?? null, ...rest } as Json);
}

let sanitiser: Promise<typeof import('../sanitise/index.ts')> | undefined;

/** A hook that needs none loads none; a gateway asks for every call, and each `import()` costs a search. */
function loadSanitiser() {
  sanitiser ??= import('../sanitise/index.ts');
  return sanitiser;
}

async function payloadOf(judged: Judged) {
  const { call, caller, name, context, decision } = judged;
  const { recordedText } = await loadSanitiser();
  const why = decision.reasons.map(({ text }) => text).join(' ');
  return {
    agent: caller.agent,
    tool: name,
    callDigest: digestOfCall(call),
    sessionId: caller.session ?? null,
    taskId: context?.taskId ?? caller.task ?? null,
    phase: context?.phase ?? null,
    codes: [...new Set(decision.reasons.map(({ code }) => code))],
    why: recordedText(why),
  };
}

function subjectOf({ session, task }: Caller, context: TaskContext | undefined): string {
  const taskId = context?.taskId ?? task;
  if (taskId !== undefined) return `task:${taskId}`;
  return session === undefined ? 'session:unknown' : `session:${session}`;
}

/** Who it says it is: nothing proves it. */
const actorOf = ({ agent }: Caller): Actor => ({ kind: 'agent', id: agent, verified: 'none' });

async function holdsSecret(text: string): Promise<boolean> {
  // Shorter than any secret that opens something.
  if (text.length < 8) return false;
  const { secretKinds } = await loadSanitiser();
  for (const kind of secretKinds(text)) if (SECRETS.has(kind)) return true;
  return false;
}

/** JSON.stringify leaves other scripts as they are; escapes of lone surrogates are ASCII and harmless here. */
const isPlain = (text: string) => /^[\x20-\x7e]*$/.test(text);

async function canonicalForm(): Promise<Canonical> {
  return (await import('../text/index.ts')).canonicalForm;
}

/** Session ids come from clients: a plain one stays, any other becomes a name of its own. */
export function sessionName(given: string): string {
  if (/^[A-Za-z0-9._-]{1,100}$/.test(given)) return given;
  return `x-${digestOf(given).slice('sha256:'.length, 'sha256:'.length + 32)}`;
}

/** What a client calls itself, as it may be recorded. */
export function agentName(given: string): string {
  const plain = given.replace(/[^A-Za-z0-9._@-]+/g, '-').slice(0, 60);
  return /[A-Za-z0-9]/.test(plain) ? plain : 'agent';
}
