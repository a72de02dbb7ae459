/**
 * What users do after a task: correct it, rate it, ask for a person. Whether they would is drawn for the
 * session, whatever became of the task; the outcome only decides how easily they do.
 */
import { CORRECTION_TYPES } from '../src/facts/index.ts';
import type { JsonlEvent } from '../src/observe/index.ts';
import type { Session } from './arrivals.ts';
import { holds, type Situation } from './conditions.ts';
import { streamOf } from './draws.ts';

type Untimed<E> = E extends unknown ? Omit<E, 'timestamp'> : never;

export interface Reaction {
  /** After the one before. */
  readonly afterMs: number;
  readonly event: Untimed<JsonlEvent>;
}

/** Of the users who rate a failed task, this share is unhappy. */
const UNHAPPY_AFTER_FAILURE = 0.85;

export function reactions(
  seed: number,
  session: Session,
  { failureCode, situation }: { failureCode: string | undefined; situation: Situation },
): Reaction[] {
  const { agent, people } = session.traffic;
  const random = streamOf(seed, `${session.id} people`);
  const corrects = random.next();
  const how = random.next();
  const rates = random.next();
  const likes = random.next();
  const escalates = random.next();
  const patience = random.next();
  const isFailed = failureCode !== undefined;
  const afterMs = Math.round(2000 + 30_000 * patience);
  const from = { session_id: session.id, agent };
  const found: Reaction[] = [];

  if (corrects < (isFailed ? people.correct_failures : people.correct_answers)) {
    const correction_type = CORRECTION_TYPES[Math.floor(how * CORRECTION_TYPES.length)]!;
    found.push({ afterMs, event: { ...from, event_type: 'user_correction', correction_type } });
  }
  if (!isFailed && people.corrections !== undefined)
    for (const [index, { type, rate, when, tasks }] of people.corrections.entries()) {
      const isMeant = tasks === undefined || tasks.includes(situation.task);
      if (!isMeant || !holds(when, situation)) continue;
      if (streamOf(seed, `${session.id} corrections ${index}`).next() >= rate) continue;
      found.push({
        afterMs,
        event: { ...from, event_type: 'user_correction', correction_type: type },
      });
    }
  if (isFailed && escalates < people.escalate_failures) {
    const reason_category = failureCode === 'timeout' ? 'timeout' : 'error';
    found.push({ afterMs, event: { ...from, event_type: 'escalation', reason_category } });
  }
  if (rates < people.rate) {
    const isUnhappy = likes < (isFailed ? UNHAPPY_AFTER_FAILURE : people.unhappy);
    const rating = isUnhappy ? 'thumbs_down' : 'thumbs_up';
    found.push({ afterMs, event: { ...from, event_type: 'feedback', rating } });
  }
  return found;
}

/** In how many ms a failed task is asked for once more; undefined when it is not. */
export function asksAgainMs(seed: number, { id, traffic }: Session): number | undefined {
  const { ask_again } = traffic.people;
  if (ask_again === 0) return undefined;
  const random = streamOf(seed, `${id} again`);
  return random.next() < ask_again ? Math.round(60_000 * (1 + 9 * random.next())) : undefined;
}
