/**
 * Names of secrets, and what a value beside one has to look like to be the secret: the plainer the name
 * is in prose and in counts ("pass", "token", "auth"), the more its value must show.
 */
import { fromBase64, isMark } from './shapes.ts';

/** Whatever they hold. */
const PASSWORD =
  'passwords?|passwd|pwd|passphrase|passcode|passwort|kennwort|contrase[ñn]a|senha|mot[-_ ]de[-_ ]passe';
/** Secrets with a word before them that names their owner. */
const QUALIFIED =
  '(?:client|app|consumer|shared|webhook|signing|jwt|cookie|session|oauth|api|access|auth|refresh|bearer|private|secret|encryption|account|master|service|bot|deploy|license|hmac|admin)[-_ ]?(?:access[-_ ]?)?(?:secret|key|token|credentials?)';
const PLAIN = 'secret|credential|token';
/** These and no longer word: `pass` but not `bypass`, `pass_rate` or `passenger`. */
const WHOLE = {
  password: 'pass|pw|psw|pswd|psk|userpass',
  authorization: 'auth|authn|basic[-_]?auth|creds?|userinfo',
  code: 'otp|totp|pin|(?:mfa|2fa|verification|security|auth)[-_ ]code',
  cardCode: 'cvv2?|cvc2?',
  signature: 'sig|signature|sas|jsessionid|phpsessid|asp\\.net_sessionid|connect\\.sid|jwt',
} as const;

type NameKind = 'password' | 'qualified' | 'plain' | keyof typeof WHOLE;

/** The groups of `NAME_PATTERN`, in their order. */
const KINDS = [
  'password',
  'qualified',
  'plain',
  'password',
  'authorization',
  'code',
  'cardCode',
  'signature',
] as const;
const WHOLE_FROM = 3;
export const NAME_GROUPS = KINDS.length;
export const NAME_PATTERN = [PASSWORD, QUALIFIED, PLAIN, ...Object.values(WHOLE)]
  .map((names) => `(${names})`)
  .join('|');

/** `token_count`, `secretName`: what they hold is about the secret, not the secret. */
const ABOUT =
  /(?:name|type|kind|count|counts|url|uri|endpoint|path|file|field|limit|length|len|size|usage|used|budget|ttl|policy|error|status|version|expiry|expires|expires_in|expiration|required|valid|min|max)$/i;
/** `tokenizer`, `secretary`: another word. */
const ANOTHER_WORD = /^(?!s(?![a-z]))[a-z]/;

export interface FoundName {
  readonly kind: NameKind;
  /** One of the short words: `pass`, not `password`. */
  readonly isShort: boolean;
  /** Written together with another word: `dbpass`. Then only a firm sign between makes it a name. */
  readonly isGlued: boolean;
}

/** Words that end in "pass" and are others. */
const OTHER_PASS = /(?:^|[^a-z])(?:by|com|encom|sur|tres|over|under|im)$/i;

/** What name a match is, by what follows and precedes it; undefined when it is another word. */
export function nameOf(
  groups: readonly (string | undefined)[],
  suffix: string,
  before: string,
): FoundName | undefined {
  const at = groups.findIndex((group) => group !== undefined);
  const isShort = at >= WHOLE_FROM;
  const name = groups[at]!;
  if (!isShort) {
    if (ANOTHER_WORD.test(suffix) || ABOUT.test(suffix)) return undefined;
    return { kind: KINDS[at]!, isShort, isGlued: false };
  }
  const isGlued = isInsideWord(before.slice(-1), name);
  if (!/^\d{0,2}$/.test(suffix)) return undefined;
  if (isGlued && (!/^pass$/i.test(name) || OTHER_PASS.test(before))) return undefined;
  return { kind: KINDS[at]!, isShort, isGlued };
}

/** `bypass` and `COMPASS` are words; in `dbPass` a word begins. */
function isInsideWord(before: string, name: string): boolean {
  if (!/[A-Za-z]/.test(before)) return false;
  return !(/[a-z]/.test(before) && /^[A-Z]/.test(name));
}

export interface Assigned {
  readonly value: string;
  /** Quoted, or behind a sign that prose does not have. */
  readonly isFirm: boolean;
  readonly isQuoted: boolean;
  /** Behind "is": hardly more than prose. */
  readonly isSaid: boolean;
}

const NOTHING =
  /^(?:\*+|x+|\.+|-+|\$|%[sdvq]|null|none|nil|undefined|true|false|yes|no|ok|empty|missing|invalid|required|expired|unknown|redacted|default|string|str|integer|int|number|boolean|bool|object|array|failed|failure|success|passed|optional|enabled|disabled|denied|revoked|incorrect|wrong|unset|set)[.!?]?$/i;
/** A variable: digits only where several words are written as one, because a secret has them anywhere. */
const VARIABLE = '(?:[A-Za-z_]+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+)';
/** `<your key>`, `$NAME`, `${NAME}`, `$(NAME)`, `$(cat file)`: whole, and with nothing of a secret in it. */
const PLACEHOLDER = new RegExp(
  `^(?:<[A-Za-z _-]{1,40}>|\\$${VARIABLE}|\\$\\{${VARIABLE}\\}|\\$\\((?:${VARIABLE}|[A-Za-z./_-]+\\s[^)]*)\\))[.!?]?$`,
);
const NUMBER = /^[-+]?[\d.,_]+(?:\/[\d.,]+)?[a-z%]{0,3}$/i;
const HAS_SCHEME = /^[a-z][a-z0-9+.-]{0,30}:\/\//i;
/** Authentication methods; their names are not secrets. */
const WAYS =
  /^(?:basic|bearer|digest|ntlm|negotiate|kerberos|oauth[-_]?[12]?(?:\.0)?(?:[-_]?pkce)?|oidc|saml2?|mtls|tls|jwt|api[-_]?key|aws[-_]?sig(?:nature)?[-_]?v?4|iam|md5|scram[-_]sha[-_]?\d+|ldap|pam|sso|anonymous|password|token|cookie|session|x509|hmac|azure|gcp|github|google|okta|auth0)$/i;

export function isSecret(name: FoundName, assigned: Assigned): boolean {
  const { value } = assigned;
  if (name.isGlued && !assigned.isFirm) return false;
  if (value === '' || isMark(value) || isNothing(value) || HAS_SCHEME.test(value)) return false;
  if (assigned.isSaid && !/^(?=.*\d)(?=.*[A-Za-z])\S{6,128}$/.test(value)) return false;
  switch (name.kind) {
    case 'password':
      return isPassword(assigned) && !(name.isShort && isOutcome(assigned));
    case 'qualified':
      return isQualified(assigned);
    case 'plain':
      return isOther(assigned);
    case 'authorization':
      return isAuthorization(assigned);
    case 'code':
      return /^\d{4,8}[.!?]?$/.test(value);
    case 'cardCode':
      return /^\d{3,4}[.!?]?$/.test(value);
    case 'signature':
      return /^(?=.*\d)[A-Za-z0-9+/=%_.:~-]{16,}$/.test(value);
  }
}

function isNothing(value: string): boolean {
  return NOTHING.test(value) || PLACEHOLDER.test(value);
}

const FOLDER = /^[a-z._-]+(?:\/[a-z._-]+)+\/?$/i;

/** After a plain colon prose is likelier: "password: must be longer". `pwd` is a folder as well. */
function isPassword({ value, isFirm }: Assigned): boolean {
  if (value.startsWith('/') || (!isFirm && FOLDER.test(value))) return false;
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
  return isFirm && value.length >= 6 && !/\s/.test(value) && !NAMED.test(value) && !isCount(value);
}

function isOther({ value, isFirm }: Assigned): boolean {
  if (isCount(value) || /\s/.test(value)) return false;
  const least = isFirm ? 7 : 8;
  if (value.length >= least && /\d/.test(value) && /[A-Za-z]/.test(value)) return true;
  return value.length >= 16 && !NAMED.test(value) && (isFirm || /[a-z][A-Z]/.test(value));
}

/** A number; one too long to count anything may be a secret. */
function isCount(value: string): boolean {
  return NUMBER.test(value) && value.length < 20;
}

function isAuthorization(assigned: Assigned): boolean {
  const { value } = assigned;
  if (WAYS.test(value) || isCount(value) || /\s/.test(value)) return false;
  if (/^[^:]{1,100}:[^:/][^:]{0,200}$/.test(value) && assigned.isFirm) return true;
  if (value.length >= 8 && fromBase64(value)?.includes(':') === true) return true;
  return isOther(assigned) || (value.length >= 6 && /[A-Za-z]\d|\d[A-Za-z]/.test(value));
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
  if (isNothing(value) || FROM_ELSEWHERE.test(value)) return false;
  if (/auth$/i.test(flag) && WAYS.test(value)) return false;
  return !(isPlainWord && PROSE.test(value));
}
