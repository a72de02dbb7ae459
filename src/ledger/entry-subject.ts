/** An entry's subject, read from its bytes without parsing them. */

const SUBJECT_KEY = Buffer.from(',"subject":');

/**
 * Whether the row's subject is the one in the body. On bytes, because broken UTF-8 can read as the
 * text that was there before; no parsing, because `verify` does it for every entry.
 */
export function subjectMatches(body: Buffer, subject: Buffer): boolean {
  const text = subject.toString();
  if (!subject.equals(Buffer.from(text))) return false;
  const at = body.lastIndexOf(SUBJECT_KEY);
  if (at < 0) return false;
  const expected = Buffer.from(`${JSON.stringify(text)},"type":"`);
  const from = at + SUBJECT_KEY.length;
  return body.subarray(from, from + expected.length).equals(expected);
}
