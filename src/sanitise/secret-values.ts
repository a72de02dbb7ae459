/**
 * What a value beside the name of a secret has to look like to be the secret: the plainer the name is in prose and in
 * counts ("pass", "token", "auth"), the more its value must show.
 */
import { isMadeByHand } from './made-by-hand.ts';
import { isNothing, isPlaceholder, isWordy } from './placeholder.ts';
import type { FoundName, NameKind } from './secret-names.ts';
import { fromBase64, hasAllKinds, isChance, isMark, looksRandom, UUID } from './shapes.ts';

export interface Assigned {
  readonly value: string;
  /** Quoted, or behind a sign that prose does not have. */
  readonly isFirm: boolean;
  readonly isQuoted: boolean;
  /** Behind "is": hardly more than prose. */
  readonly isSaid: boolean;
}

const NUMBER = /^[-+]?[\d.,_]+(?:\/[\d.,]+)?[a-z%]{0,3}$/i;
const HAS_SCHEME = /^[a-z][a-z0-9+.-]{0,30}:\/\//i;
/** Authentication methods; their names are not secrets. */
const WAYS =
  /^(?:basic|bearer|digest|ntlm|negotiate|kerberos|oauth[-_]?[12]?(?:\.0)?(?:[-_]?pkce)?|oidc|saml2?|mtls|tls|jwt|api[-_]?key|aws[-_]?sig(?:nature)?[-_]?v?4|iam|md5|scram[-_]sha[-_]?\d+|ldap|pam|sso|anonymous|password|token|cookie|session|x509|hmac|azure|gcp|github|google|okta|auth0)$/i;

export function isSecret(name: FoundName, assigned: Assigned): boolean {
  const { value } = assigned;
  if (name.isGlued && !assigned.isFirm) return false;
  if (value === '' || isMark(value) || HAS_SCHEME.test(value)) return false;
  // A code has few digits, and may well repeat them.
  const isCode = name.kind === 'code' || name.kind === 'cardCode';
  if (isCode ? isNothing(value) : isPlaceholder(value)) return false;
  if (SHOWN_ADDRESS.test(value)) return false;
  if (name.isId && (UUID.test(value) || !/\d/.test(value))) return false;
  if (assigned.isSaid && !isSaidSecret(value)) return false;
  if (name.kind === 'password')
    return isPassword(assigned) && !(name.isShort && isOutcome(assigned));
  return !isTyped(assigned) && isOfKind(name.kind, assigned);
}

/** No issuer's key is shorter; what is, somebody may have chosen. */
const ISSUED_LENGTH_MIN = 15;

/** `api_key = "0123456789abcdef"`: what nobody chose as a password, and no machine drew. */
function isTyped({ value }: Assigned): boolean {
  return value.length >= ISSUED_LENGTH_MIN && /^[\w.-]+$/.test(value) && isMadeByHand(value);
}

function isOfKind(kind: Exclude<NameKind, 'password'>, assigned: Assigned): boolean {
  const { value } = assigned;
  switch (kind) {
    case 'qualified':
      return isQualified(assigned);
    case 'plain':
      return isOther(assigned);
    case 'key':
      return value.length >= 20 && !/\s/.test(value) && looksRandom(value) && isChance(value);
    case 'authorization':
      return isAuthorization(assigned);
    case 'code':
      return /^\d{4,8}[.!?]?$/.test(value) || /^\d{3} \d{3}$/.test(value);
    case 'grant':
      return assigned.isFirm && value.length >= 10 && isMadeUpGrant(value);
    case 'cardCode':
      return /^\d{3,4}[.!?]?$/.test(value);
    case 'signature':
      return isSignature(assigned);
    case 'header':
      return true;
  }
}

/** What an address is shown as. */
const SHOWN_ADDRESS = /^\d{1,3}(?:\.\d{1,3})?(?:\.x){2,3}(?::\d+)?$/;

function isSignature({ value, isFirm }: Assigned): boolean {
  if (UUID.test(value)) return false;
  if (/^(?=.*\d)[A-Za-z0-9+/=%_.:~-]{16,}(?:\?|$)/.test(value)) return true;
  return (
    isFirm && hasAllKinds(value) && /^[A-Za-z0-9_-]{12,}(?:\?|$)/.test(value) && !isWordy(value)
  );
}

/** What an authorisation is exchanged for; error codes and languages are words. */
function isMadeUpGrant(value: string): boolean {
  return (
    /^[A-Za-z0-9_./~-]+$/.test(value) && hasAllKinds(value) && !isWordy(value) && !UUID.test(value)
  );
}

export function isSaidSecret(value: string): boolean {
  return /^(?=.*\d)(?=.*[A-Za-z])\S{6,128}$/.test(value) && !UUID.test(value);
}

const FOLDER = /^[a-z._-]+(?:\/[a-z._-]+)+\/?$/i;
/** In code: `password=password`, `password: req.body.password`, `pwd = getpass.getpass()`. */
const CODE = /^(?:[A-Za-z_]\w*\.)+[A-Za-z_]\w*(?:\(.*\)?)?;?$|^[A-Za-z_]\w*(?:\.\w+)*\([^)]*\)?;?$/;
const SAME =
  /^(?:[a-z]+[_.-]?)?(?:password|passwd|pwd|secret|token|pass|passphrase|credentials?|key|apikey|api_key)$/i;

/** `key = apiKey2`: another of the kind. */
const NUMBERED = /^(?:[A-Za-z]+_)*[A-Za-z]*(?:secret|token|key)_?\d{1,2}$/i;

/** After a plain colon prose is likelier: "password: must be longer". `pwd` is a folder as well. */
function isPassword({ value, isFirm, isQuoted }: Assigned): boolean {
  if (value.startsWith('/') || (!isFirm && FOLDER.test(value))) return false;
  if (!isQuoted && (CODE.test(value) || SAME.test(value))) return false;
  if (isQuoted && SAME.test(value)) return false;
  return isFirm || /\d|[^A-Za-z.'’-]/.test(value) || /[a-z][A-Z]/.test(value);
}

/** "pass: 12, fail: 3", "pass=98%", "PASS: TestRetry". */
function isOutcome({ value, isFirm, isQuoted }: Assigned): boolean {
  if (isQuoted) return false;
  if (NUMBER.test(value) && value.length <= 5) return true;
  return !isFirm && (/^(?:Test|Example|Benchmark|Fuzz)/.test(value) || /^[A-Za-z]+$/.test(value));
}

const NAMED = /^[A-Za-z]+(?:[-_.:/][A-Za-z]+)+$/;

function isQualified(assigned: Assigned): boolean {
  const { value, isFirm } = assigned;
  if (isOther(assigned)) return true;
  if (UUID.test(value)) return true;
  return (
    isFirm &&
    value.length >= 6 &&
    !/\s/.test(value) &&
    !NAMED.test(value) &&
    !isCount(value) &&
    !SAME.test(value) &&
    !(!assigned.isQuoted && CODE.test(value))
  );
}

function isOther({ value, isFirm, isQuoted }: Assigned): boolean {
  if (isCount(value) || /\s/.test(value)) return false;
  if (!isQuoted && ((CODE.test(value) && !/\d/.test(value)) || NUMBERED.test(value))) return false;
  if (value.startsWith('/') && /^(?:\/[\w.-]+)+$/.test(value)) return false;
  const least = isFirm ? 7 : 8;
  if (value.length >= least && /\d/.test(value) && /[A-Za-z]/.test(value))
    return !UUID.test(value) && !isNamedThing(value);
  return (
    value.length >= 16 &&
    !NAMED.test(value) &&
    !/^[a-z]+$|^[A-Z]+$/.test(value) &&
    !isWordy(value) &&
    (isFirm || /[a-z][A-Z]/.test(value))
  );
}

/** `db-credentials-v2`, `my-app-secret-2`: words with a number at an end are a name. */
function isNamedThing(value: string): boolean {
  return /^[a-z]{2,}(?:[-_.][a-z]{2,}){1,5}[-_.]?v?\d{0,2}$/.test(value);
}

/** A number; one too long to count anything may be a secret. */
function isCount(value: string): boolean {
  return NUMBER.test(value) && value.length < 20;
}

function isAuthorization(assigned: Assigned): boolean {
  const { value } = assigned;
  if (WAYS.test(value) || isCount(value) || /\s/.test(value) || UUID.test(value)) return false;
  if (/^[^:]{1,100}:[^:/][^:]{0,200}$/.test(value) && assigned.isFirm) return !isPairOfWords(value);
  if (value.length >= 8 && fromBase64(value)?.includes(':') === true) return true;
  return isOther(assigned) || (value.length >= 6 && /[A-Za-z]\d|\d[A-Za-z]/.test(value));
}

const EXAMPLE_WORD =
  /^(?:user(?:name)?|usr|login|email|name|admin|root|test|guest|foo|bar|xxx+|yyy+|me|you|my_?user(?:name)?)$/i;
const EXAMPLE_SECRET =
  /^(?:pass(?:word|wd)?|pwd|secret|token|test|xxx+|yyy+|key|api_?key|changeme|foo|bar)$/i;

/** `user:pass`, `test:test`, `$1:$2`: a user and a password that are nobody's. */
export function isPairOfWords(pair: string): boolean {
  const at = pair.indexOf(':');
  if (at === -1) return false;
  const [user, secret] = [unquoted(pair.slice(0, at)), unquoted(pair.slice(at + 1))];
  if (isNothing(pair.slice(at + 1))) return true;
  if (secret === '' || isNothing(secret) || isPlaceholder(secret)) return true;
  return EXAMPLE_WORD.test(user) && EXAMPLE_SECRET.test(secret);
}

function unquoted(value: string): string {
  return value.replace(/^["'<[{]+|["'>\]}]+$/g, '');
}

/** Names that a flag ends in, `--db-password`, `-token`. */
const FLAG =
  /(?:^|[-_.])(?:password|passwd|pass|pwd|pw|passphrase|passcode|passin|passout|token|secret|api[-_]?key|access[-_]?key|auth[-_]?key|secret[-_]?key|private[-_]?key|signing[-_]?key|encryption[-_]?key|account[-_]?key|license[-_]?key|auth|creds?|credentials?|otp|psk|oauth2-bearer|pat)\d?$|[a-z](?:Password|Token|Secret|ApiKey|AccessKey)$/i;
const COUNTED_FLAG = /(?:^|[-_])(?:max|min|num|n|per|no|use|with|skip|show|prompt|ask)[-_]/i;
/** What a sentence goes on with: "--token is missing". */
const PROSE =
  /^(?:is|are|was|were|or|and|to|flags?|options?|arguments?|args?|must|not|for|requires?|if|when|has|have|from|with|in|on|at|of|should|cannot|can|needs?|instead|parameters?|values?|but|as|by|the|an?|this|that|via|be|will|may|then|argument;|here|both|found|provided|given|supplied|specified|file|env|stdin|expects?|does|did|too|only|also|because|without)[.,;:!?)]*$/i;

export function isSecretFlag(flag: string): boolean {
  return FLAG.test(flag) && !COUNTED_FLAG.test(flag);
}

const FROM_ELSEWHERE = /^(?:env|file|fd):|^stdin$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** Whether the value of such a flag is one: however short, because the flag says so. */
export function isFlagSecret(flag: string, value: string, isPlainWord: boolean): boolean {
  if (value === '' || isMark(value) || value.startsWith('[')) return false;
  if (isPlaceholder(value) || FROM_ELSEWHERE.test(value)) return false;
  if (/auth$/i.test(flag) && WAYS.test(value)) return false;
  // In a usage line the value is the flag's own word: `--password PASSWORD`.
  if (/^[A-Z_]{3,}$/.test(value) && flag.toUpperCase().endsWith(value)) return false;
  return !(isPlainWord && PROSE.test(value));
}

/** A run that is chance in all kinds of signs, and long enough that no name is so by accident. */
export function isChanceRun(run: string): boolean {
  return hasAllKinds(run) && looksRandom(run) && isChance(run) && !isPlaceholder(run);
}
