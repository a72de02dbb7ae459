/** An entry's subject, read from its text without parsing it: `verify` does it for every entry. */

/** What follows the type, the last key but one: `…,"subject":"s","type":"t","v":1}`. */
const END = '","v":1}';
/** Longer than any type with its quotes. */
const TYPE_CHARS_MAX = 64;

/** Whether the row's subject is the one in the body. Relies on the order of the body's keys. */
export function subjectMatches(body: string, subject: string): boolean {
  const expected = `,"subject":${JSON.stringify(subject)},"type":"`;
  const from = body.length - END.length - TYPE_CHARS_MAX - expected.length;
  const at = body.indexOf(expected, from);
  // Only the type comes between: what was found is not a key of the data.
  return at >= 0 && body.indexOf('"', at + expected.length) === body.length - END.length;
}
