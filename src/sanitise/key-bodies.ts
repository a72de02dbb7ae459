/** Runs in base64 or hex that are a secret when written out, and the lines of a private key without its head. */
import type { Found } from './found.ts';
import { isChance, lineStart } from './shapes.ts';

/** Shorter ones say nothing that a rule would know. */
const ENCODED_LENGTH_MIN = 24;
const ENCODED_LENGTH_MAX = 64 * 1024;
const HEAD_LENGTH = 16;
const HEX = /^[0-9a-fA-F]+$/;
const PRINTABLE = /^[\n\r\t -~]+$/;

/** A run that decodes to plain text with a secret in it is one. */
export function encodedSecret(
  found: Found,
  start: number,
  end: number,
  holdsSecret: (said: string) => boolean,
): void {
  const { text } = found;
  if (end - start < ENCODED_LENGTH_MIN || end - start > ENCODED_LENGTH_MAX) return;
  for (const from of beginnings(text, start, end)) {
    const said = decoded(text.slice(from, end));
    if (said === undefined || !holdsSecret(said)) continue;
    let stop = end;
    while (text[stop] === '=' && stop - end < 2) stop += 1;
    found.secret(from, stop);
    return;
  }
}

/** A path or a name before it shifts the alphabet, so what is behind its last signs is tried as well. */
function beginnings(text: string, start: number, end: number): number[] {
  const slash = text.slice(start, end - ENCODED_LENGTH_MIN).lastIndexOf('/');
  return slash === -1 ? [start] : [start, start + slash + 1];
}

export function decoded(written: string): string | undefined {
  const run = written.startsWith('0x') ? written.slice(2) : written;
  if (!mayBePlain(run)) return undefined;
  if (HEX.test(run)) {
    return run.length % 2 === 0 ? printable(Buffer.from(run, 'hex').toString('latin1')) : undefined;
  }
  const head = Buffer.from(run.slice(0, HEAD_LENGTH), 'base64').toString('latin1');
  // As PowerShell encodes its commands: every second byte is empty.
  if (/^(?:[ -~]\0){4,}/.test(head))
    return printable(Buffer.from(run, 'base64').toString('utf16le'));
  if (!PRINTABLE.test(head)) return undefined;
  return printable(Buffer.from(run, 'base64').toString('latin1'));
}

/** Bytes as pairs of digits with a sign between. */
export function hexText(pairs: string): string | undefined {
  return printable(Buffer.from(pairs.replace(/[^0-9A-Fa-f]/g, ''), 'hex').toString('latin1'));
}

/** Looked at before anything is decoded: how the first bytes of plain text begin in hex and in base64. */
const HEX_HEAD = /^(?:[2-7][0-9a-fA-F]|0[9aAdD]){4}/;
const BASE64_HEAD = /^(?:[CDI-Za-f][A-Za-z0-9+/_-]{3}){4}/;
/** UTF-16: of six bytes the second, fourth and sixth are empty. */
const WIDE_HEAD = /^(?:[CDI-Za-f].{3}A.{3}){2}/;

function mayBePlain(run: string): boolean {
  return HEX_HEAD.test(run) || BASE64_HEAD.test(run) || WIDE_HEAD.test(run);
}

function printable(said: string): string | undefined {
  return PRINTABLE.test(said) ? said : undefined;
}

/**
 * A private key in DER: a sequence that begins with the number 0 or 1 (RFC 5958, RFC 8017, RFC 5915). A public key begins
 * with a sequence, a certificate with two. Or OpenSSH's own form, by its name.
 */
export function isPrivateDer(run: string): boolean {
  if (run.startsWith('b3BlbnNzaC1rZXktdjE')) return true;
  if (!run.startsWith('M')) return false;
  const bytes = Buffer.from(run.slice(0, 16), 'base64');
  if (bytes[0] !== 0x30) return false;
  const length = bytes[1]!;
  const at = length < 0x80 ? 2 : 2 + (length & 0x7f);
  return bytes[at] === 2 && bytes[at + 1] === 1 && bytes[at + 2]! <= 1;
}

/** PEM writes 64 signs to a line, OpenSSH 70, MIME 76. */
const BODY_MIN = 56;
const BODY_MAX = 80;

/** Notes a run that is a line by itself, as a key's lines are. */
export function bodyLine(found: Found, start: number, end: number): void {
  const { text } = found;
  if (end - start > BODY_MAX) return;
  const before = lineStart(text, start, 17);
  if (before === undefined || /[^\s"'`>|#/*+-]/.test(text.slice(before, start))) return;
  const rest = text.slice(end, end + 8);
  if (!/^={0,2}(?:\\n)?["'`,;+\s\\]*(?:\n|$)/.test(rest)) return;
  found.bodyLines.push({ start, end });
}

/** Two neighbours, one of them long and chance: the middle of a key. */
export function keyBodies(found: Found): void {
  const { text, bodyLines } = found;
  for (let at = 0; at < bodyLines.length; ) {
    let next = at + 1;
    while (
      next < bodyLines.length &&
      isNeighbour(text, bodyLines[next - 1]!.end, bodyLines[next]!.start)
    )
      next += 1;
    const block = bodyLines.slice(at, next);
    const long = block.filter(({ start, end }) => end - start >= BODY_MIN);
    const isKey =
      block.some(({ start, end }) => isPrivateDer(text.slice(start, end))) ||
      long.some(({ start, end }) => {
        const line = text.slice(start, end);
        return !HEX.test(line.slice(1)) && isChance(line);
      });
    if (block.length > 1 && long.length >= block.length - 1 && isKey) {
      let end = block.at(-1)!.end;
      while (text[end] === '=') end += 1;
      found.add('private_key', block[0]!.start, end, '[REDACTED:PRIVATE_KEY]');
    }
    at = next;
  }
}

function isNeighbour(text: string, end: number, start: number): boolean {
  return start - end < 40 && text.slice(end, start).split('\n').length === 2;
}
