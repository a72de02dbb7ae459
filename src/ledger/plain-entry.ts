/**
 * Entries about calls that were judged, told from others without the schemas: making those takes a hook that refuses a call
 * a fifth of its time. Says yes only to what the schemas take as it is; about anything else they are asked, and they
 * say what is wrong with it.
 */
import { ACTOR_KINDS, type EntryDraft, VERIFICATIONS } from '../facts/index.ts';

type Holds = (value: unknown) => boolean;

/** Fewer than the schemas take: printable ASCII, of lengths that such names have. */
const text =
  (pattern: RegExp): Holds =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const word = text(/^[!-~]{1,200}$/);
const orNull =
  (holds: Holds): Holds =>
  (value) =>
    value === null || holds(value);
const oneOf =
  (values: readonly unknown[]): Holds =>
  (value) =>
    values.includes(value);

const JUDGED_CALL: Readonly<Record<string, Holds>> = {
  agent: word,
  callDigest: text(/^sha256:[0-9a-f]{64}$/),
  codes: (value) => Array.isArray(value) && value.length <= 20 && value.every(word),
  level: oneOf([0, 1, 2, 3]),
  phase: orNull(word),
  sessionId: orNull(word),
  taskId: orNull(word),
  tool: word,
  why: text(/^[\x20-\x7e]{0,4000}$/),
};
const ACTOR: Readonly<Record<string, Holds>> = {
  id: word,
  kind: oneOf(ACTOR_KINDS),
  verified: oneOf(VERIFICATIONS),
};
const SUBJECT = text(/^[a-z_]+:[!-~]{1,200}$/);

const PLAIN = new Set<string>(['gateway.passed', 'gateway.refused', 'gateway.let_pass']);

export function isPlainEntry({ type, actor, subject, artifacts, data }: EntryDraft): boolean {
  if (!PLAIN.has(type) || artifacts !== undefined) return false;
  return SUBJECT(subject) && hasExactly(actor, ACTOR) && hasExactly(data, JUDGED_CALL);
}

/** All of these members and no others. */
function hasExactly(value: object, members: Readonly<Record<string, Holds>>): boolean {
  const names = Object.keys(members);
  return (
    Object.keys(value).length === names.length &&
    names.every((name) => Object.hasOwn(value, name) && members[name]!(value[name as never]))
  );
}
