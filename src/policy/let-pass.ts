/** What a gate that observes would have refused: recorded with what it let pass, in one commit. */
import { type EntryDraft, SYSTEM } from '../facts/index.ts';
import { recordedText } from '../sanitise/index.ts';

export interface LetPass {
  readonly gate: string;
  /** What was judged, such as `complete` or `open proposals`. */
  readonly what: string;
  /** Why it would have been refused; one plain sentence. */
  readonly why: string;
  /** Whose deed was judged; the record names them. */
  readonly who?: string | undefined;
}

/** `subject`: what was let pass, such as `proposal:p_01…`. It stays marked: an entry is never undone. */
export function letPassEntry(passed: LetPass, subject: string, atMs: number): EntryDraft {
  const { gate, what, why, who } = passed;
  const keep = who === undefined ? [] : [who];
  const data = { gate, what: recordedText(what), why: recordedText(why, { keep }) };
  return { type: 'policy.let_pass', actor: SYSTEM, subject, data, atMs };
}

/** For the sentence of a step. */
export function letPassWords({ gate, what, why }: LetPass): string {
  return `Let pass, because the gate ${gate} only observes: ${what}: ${why}`;
}
