/**
 * Characters that a person does not see, made visible: control and format characters, spaces that are not the plain
 * one, and letters of other scripts among Latin ones. What is decided is what is there, not what it looks like.
 */
export interface Piece {
  readonly text: string;
  /** Why it is marked; undefined for what is as it looks. */
  readonly mark?: string;
}

const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]|(?! )\p{Zs}|[\u3164\u115f\u1160\uffa0\u2800]/u;
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Cherokee}\p{Script=Armenian}]/u;
const LATIN = /\p{Script=Latin}/u;

export function pieces(line: string): Piece[] {
  if (!HIDDEN.test(line.replaceAll('\t', '')) && !LOOKALIKE.test(line)) return [{ text: line }];
  const found: Piece[] = [];
  let plain = '';
  const flush = () => {
    if (plain !== '') found.push({ text: plain });
    plain = '';
  };
  for (const word of line.split(/(\s+)/)) {
    const isMixed = LATIN.test(word) && LOOKALIKE.test(word);
    for (const one of word) {
      const code = `U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
      if (one !== '\t' && HIDDEN.test(one)) {
        flush();
        found.push({ text: code, mark: `a character that is not seen: ${code}` });
      } else if (isMixed && LOOKALIKE.test(one)) {
        flush();
        found.push({
          text: `${one}‹${code}›`,
          mark: `looks like a Latin letter and is not: ${code}`,
        });
      } else plain += one;
    }
  }
  flush();
  return found;
}
