/**
 * Text that may be recorded forever: what people, agents, files and other programs wrote went through the
 * sanitiser. A ledger entry takes no other free text, so that forgetting it does not compile. Only `sanitise/`
 * makes it from a text that is not known before; sentences in the code are clean as they are.
 */
declare const CLEAN: unique symbol;

export type CleanText = string & { readonly [CLEAN]: true };

/** A literal text in the code: its type refuses one with anything inserted. */
export function ownWords<const T extends string>(words: Literal<T>): CleanText {
  return words as unknown as CleanText;
}

/** Neither `string` nor a template such as `by ${string}`. */
type Literal<T extends string> = Record<never, never> extends Record<T, 1> ? never : T;
