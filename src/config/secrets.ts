/**
 * Keeps secrets out of messages, by the rules of `sanitise/`. `holdsSecret` refuses a file; `mask` also
 * hides what merely looks random, because hiding too much costs nothing. Both take a bounded part
 * of the text, and `shown` makes the rest safe for a terminal.
 */
import { type ReplacedKind, mask as sanitised, secretKinds } from '../sanitise/index.ts';

const LOOKED_AT = 4096;
/** Longer texts are counted, not shown: a pattern may end behind what was looked at. */
const SHOWN_LENGTH = 500;
const SHOWN_WIDTH = 60;
const MASK = '***';
/** People and agents are named by their addresses there: these are not secrets. */
const PERSONAL: readonly ReplacedKind[] = ['email', 'phone', 'card', 'iban', 'national_id'];

const RANDOM_LOOKING = /[A-Za-z0-9+_=-]{32,}/g;
const SECRET_NAME = /passw|passphrase|secret|token|credential|api[-_]?key|private[-_]?key/i;

/** Whether a text holds a literal secret, which may not be in the file. */
export function holdsSecret(text: string): boolean {
  const kinds = secretKinds(text.slice(0, LOOKED_AT));
  return [...kinds].some((kind) => !PERSONAL.includes(kind));
}

/** Whether a key's name says that its value is a secret. */
export function namesSecret(key: string): boolean {
  return SECRET_NAME.test(key);
}

export function mask(text: string): string {
  const masked = sanitised(text.slice(0, LOOKED_AT), { except: PERSONAL }).text;
  return masked.replace(RANDOM_LOOKING, (run) => (looksRandom(run) ? MASK : run));
}

/** A value as a message may show it: masked, on one line, short, without control characters. */
export function shown(value: unknown, key = ''): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'keys and values';
  if (typeof value === 'string' && /^env:\w{1,100}$/.test(value)) return `"${value}"`;
  if (namesSecret(key)) return MASK;
  if (typeof value !== 'string') return String(value);
  if (value.length > SHOWN_LENGTH) return `a text of ${value.length} characters`;
  return value === '' ? 'an empty text' : `"${visible(mask(value))}"`;
}

/** A key as a message may show it. */
export function shownKey(key: string): string {
  if (key.length > SHOWN_LENGTH) return `a key of ${key.length} characters`;
  return visible(mask(key));
}

/**
 * Who may edit the file is not who reads the message: escape sequences, line breaks and characters
 * that change the direction of text would let the one write into the other's terminal.
 */
function visible(text: string): string {
  const safe = text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu,
    (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  );
  const signs = Array.from(safe);
  return signs.length <= SHOWN_WIDTH ? safe : `${signs.slice(0, SHOWN_WIDTH - 1).join('')}…`;
}

function looksRandom(run: string): boolean {
  return /\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run);
}
