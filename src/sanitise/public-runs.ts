/** Chance signs that anybody may see, told by their structure: public keys, certificates, checksums, files in a URL, our own ids. */
import { HEX_RUN } from './shapes.ts';

/** Subresource integrity, as lock files write it: `sha512-…`. */
const INTEGRITY = /^sha(?:1|224|256|384|512)-/;
/** The account of a chain has 20 bytes; its key has 32. */
const ACCOUNT = /^0x[0-9a-fA-F]{40}$/;
/** A file in a URL; what it says is read by itself. */
const DATA_URL = /data:[\w.+-]{1,40}\/[\w.+-]{1,80}(?:;[\w=.-]{1,40}){0,3};base64,$/;
const DATA_URL_MAX = 256;

/**
 * What Hone calls a proposal (`base/ids.ts`: after milliseconds come 80 bits). A pattern is one only where the text says so, because
 * others may begin an access token with `pat_`. Else the cause of a failure could not name another pattern on the line of
 * a setting called `tokens`, and its cure would be held as a secret.
 */
const PROPOSAL = /^p_0[0-9a-hjkmnp-tv-z]{25}$/;
const PATTERN = /^pat_[0-9a-f]{20}$/;
const SAYS_PATTERN = /\bpattern,? $/;

export function isPublicRun(text: string, start: number, run: string): boolean {
  if (HEX_RUN.test(run)) return ACCOUNT.test(run);
  if (INTEGRITY.test(run) || isPublicSsh(run) || isPublicDer(run)) return true;
  if (PROPOSAL.test(run)) return true;
  if (PATTERN.test(run)) return SAYS_PATTERN.test(text.slice(Math.max(0, start - 10), start));
  return (
    text[start - 1] === ',' && DATA_URL.test(text.slice(Math.max(0, start - DATA_URL_MAX), start))
  );
}

/** RFC 4253: the length and the name of the algorithm come first. */
function isPublicSsh(run: string): boolean {
  if (!run.startsWith('AAAA')) return false;
  const bytes = Buffer.from(run.slice(0, 64), 'base64');
  const length = bytes.length < 4 ? 0 : bytes.readUInt32BE(0);
  return (
    length > 0 && /^(?:sk-)?(?:ssh|ecdsa)-[\w@.-]+$/.test(bytes.toString('latin1', 4, 4 + length))
  );
}

/** A sequence whose first part is a sequence: a public key (RFC 5280) or a certificate. A private key begins with a number. */
function isPublicDer(run: string): boolean {
  if (!run.startsWith('MI')) return false;
  const bytes = Buffer.from(run.slice(0, 16), 'base64');
  return bytes[0] === 0x30 && (bytes[1]! & 0x80) > 0 && bytes[2 + (bytes[1]! & 0x7f)] === 0x30;
}
