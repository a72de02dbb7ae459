/**
 * The syntax of signed notes (c2sp.org/signed-note) without any trust: a text, a blank line, signature
 * lines. Pure. The input comes from files that an attacker may have written: the parser accepts exactly
 * what the format describes, every note in one spelling only, and never throws.
 */

export interface SignatureLine {
  readonly name: string;
  /** Key id and signature together, as in the line. */
  readonly bytes: Uint8Array;
}

export interface ParsedNote {
  /** What is signed; ends with a newline. */
  readonly text: string;
  readonly signatures: readonly SignatureLine[];
}

export type NoteSyntaxFailure =
  /** Longer than any note of ours, or more signatures than any log collects. */
  | 'note_too_long'
  /** A control character (carriage return and NUL included), or half a surrogate pair. */
  | 'note_characters'
  /** No blank line between text and signatures, or no signature, or no newline at the end. */
  | 'note_structure'
  /** A line below the blank line is not a signature line. */
  | 'note_signature_line';

export type NoteParseResult =
  | { readonly ok: true; readonly note: ParsedNote }
  | { readonly ok: false; readonly reason: NoteSyntaxFailure };

// The format asks for room for 16 signatures of up to 5 kB each; 100 is golang.org/x/mod's cap.
const NOTE_CHARS_MAX = 256 * 1024;
const SIGNATURES_MAX = 100;
/** Key id and at least one byte. */
const SIGNATURE_BYTES_MIN = 5;
const SIGNATURE_START = '— ';

export function parseNote(input: string): NoteParseResult {
  if (input.length > NOTE_CHARS_MAX) return failed('note_too_long');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose.
  if (/[\u0000-\u0009\u000b-\u001f]/.test(input) || !input.isWellFormed())
    return failed('note_characters');
  const blank = input.lastIndexOf('\n\n');
  const tail = input.slice(blank + 2);
  if (blank === -1 || !tail.endsWith('\n')) return failed('note_structure');
  const lines = tail.slice(0, -1).split('\n');
  if (lines.length > SIGNATURES_MAX) return failed('note_too_long');
  const signatures: SignatureLine[] = [];
  for (const line of lines) {
    const signature = parseSignatureLine(line);
    if (signature === undefined) return failed('note_signature_line');
    signatures.push(signature);
  }
  return { ok: true, note: { text: input.slice(0, blank + 1), signatures } };
}

export function formatNote({ text, signatures }: ParsedNote): string {
  const lines = signatures.map(
    ({ name, bytes }) => `${SIGNATURE_START}${name} ${Buffer.from(bytes).toString('base64')}\n`,
  );
  return `${text}\n${lines.join('')}`;
}

/** Not empty, no plus, no space of any alphabet. */
export function isKeyName(name: string): boolean {
  return name !== '' && name.isWellFormed() && !/[+\s\p{White_Space}]/u.test(name);
}

/** Standard base64 (RFC 4648 section 4) in its one canonical spelling; Node alone would skip what it dislikes. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

function parseSignatureLine(line: string): SignatureLine | undefined {
  if (!line.startsWith(SIGNATURE_START)) return undefined;
  const [name = '', base64 = '', ...more] = line.slice(SIGNATURE_START.length).split(' ');
  const bytes = decodeBase64(base64);
  if (!isKeyName(name) || more.length > 0 || bytes === undefined) return undefined;
  return bytes.length < SIGNATURE_BYTES_MIN ? undefined : { name, bytes };
}

function failed(reason: NoteSyntaxFailure): NoteParseResult {
  return { ok: false, reason };
}
