/**
 * Names of secrets, by their words: `db_password`, `dbPassword` and `DB-PASSWORD` are one name. What a name says about
 * a secret (`token_count`, `secretName`) is not one, nor is a word that only holds one (`tokenizer`, `secretary`).
 */

export type NameKind =
  | 'password'
  | 'qualified'
  | 'plain'
  | 'key'
  | 'authorization'
  | 'code'
  | 'grant'
  | 'cardCode'
  | 'signature'
  | 'header';

export interface FoundName {
  readonly kind: NameKind;
  /** One of the short words: `pass`, not `password`. */
  readonly isShort: boolean;
  /** Written together with another word: `dbpass`. Then only a firm sign between makes it a name. */
  readonly isGlued: boolean;
  /** `…_id`: a UUID or a word there names something. */
  readonly isId: boolean;
}

const PASSWORD =
  /(?:password|passwd|pwd|passphrase|passcode|passwort|kennwort|contrase(?:ñ|n)a|senha|passe|wachtwoord|parola|haslo|lösenord|salasana|пароль|パスワード|密码|密碼|비밀번호|mdp|requirepass|masterauth|wif|privkey|geheimnis|passwort)s?$/;
/** Words before "key", "token" or "secret" that say whose it is. */
const OWNERS =
  'client|app|application|consumer|shared|webhook|signing|jwt|cookie|session|oauth2?|api|access|auth|refresh|bearer|private|secret|encryption|encrypt|decryption|account|master|service|bot|deploy|license|hmac|admin|storage|user|personal|login|id|identity|registry|security|subscription|vault|db|database|root|csrf|xsrf|ssh|ssl|tls|aes|rsa|gpg|pgp|wallet|seed|recovery|backup|push|device|verify|verification|cert|certificate|host|server|signature|internal|sas|instrumentation|ingest|collector|write|read|upload|download|publish|project|team|org|tenant|workspace|agent|runner|integration|connection|openai|anthropic|aws|azure|gcp|google|github|gitlab|slack|stripe|twilio|sendgrid|mailgun|datadog|sentry|npm|docker|hf|cohere|mistral|groq|deepseek|gemini|claude|huggingface|replicate|pinecone|langfuse|langsmith|supabase|vercel|netlify|cloudflare|heroku|fly|shopify|clickup|notion|linear|jira|atlassian|confluence|discord|telegram|twitter|facebook|bedrock';
const OWNER = new RegExp(`^(?:${OWNERS})$`);
const GLUED_OWNER =
  /(?:client|app|consumer|shared|webhook|signing|jwt|session|oauth|api|access|auth|refresh|private|secret|encryption|account|master|service|bot|deploy|license|hmac|admin|user|identity|registry)(?:secret|key|token|credentials?)s?$/;
const SHORT: Readonly<Record<string, NameKind>> = {
  pass: 'password',
  pw: 'password',
  psw: 'password',
  pswd: 'password',
  psk: 'password',
  userpass: 'password',
  auth: 'authorization',
  authn: 'authorization',
  basicauth: 'authorization',
  cred: 'authorization',
  creds: 'authorization',
  userinfo: 'authorization',
  otp: 'code',
  totp: 'code',
  pin: 'code',
  cvv: 'cardCode',
  cvc: 'cardCode',
  sig: 'signature',
  signature: 'signature',
  sas: 'signature',
  jsessionid: 'signature',
  phpsessid: 'signature',
  sessionid: 'signature',
  sid: 'signature',
  jwt: 'signature',
  session: 'signature',
  sess: 'signature',
  mnemonic: 'qualified',
  code: 'grant',
  verifier: 'grant',
  oauth: 'authorization',
};
const CODE_OWNER =
  /^(?:mfa|2fa|fa|verification|verify|security|auth|access|otp|login|sms|backup|recovery|one)$/;
/** Words that end in "pass" and are others. */
const OTHER_PASS =
  /^(?:by|com|encom|sur|tres|over|under|im|multi|single|two|one|first|second|last)$/;

/** What they hold is about the secret. */
const ABOUT =
  /^(?:name|names|type|types|kind|count|counts|url|urls|uri|endpoint|path|paths|file|files|filename|dir|field|fields|limit|limits|length|len|size|usage|used|budget|ttl|policy|policies|error|errors|status|state|version|expiry|expires|in|at|expiration|required|valid|min|max|ids?|ref|refs|reference|arn|label|prefix|suffix|format|algorithm|alg|provider|manager|service|store|source|location|hint|prompt|placeholder|title|description|message|regex|pattern|rule|rules|strategy|mode|method|enabled|disabled|exists|present|missing|invalid|rotation|interval|age|days|hours|minutes|seconds|ms|time|date|timeout|input|output|generator|helper|handler|hash|algo|strength|reset|confirm|class|index|usages|issuer|audience|scope|scopes|permissions|created|updated|rate|per|column|table|attempts|retries|bits|encoding|header|headers|param|params|parameter|variable|env|var|option|flag|arg|line|position|offset|ring|board|word|words|space|spaces|pair|pairs|stroke|down|up|press|code|codes|event|cache|bucket|pool|window|total|remaining|left|cost|price|metric|metrics|callback|listener|validator|checker|check|test|tests)$/;
/** After "password" and its like these do hold it. */
const STILL =
  /^(?:hash|confirm|confirmation|again|old|new|current|value|text|plain|raw|string|str|b64|base64|enc|encoded|encrypted|data|secret|header|prod|production|dev|staging|test|live|main|primary|secondary|backup|one|two)$/;
const NOT_SECRET_BEFORE =
  /^(?:public|pub|publishable|primary|foreign|partition|sort|cache|idempotency|unique|composite|natural|surrogate|lookup|object|map|dict|row|hot|short|arrow|function|media|partial|routing|shard|group|message|translation|locale|max|min|num|number|total|prompt|completion|input|output|next|page|pagination|continuation|cursor|eos|bos|pad|unk|stop|special|start|end|mask|cls|sep|unexpected|syntax|per|cancellation|cancel)$/;

const HEADER =
  /(?:^|[^a-z0-9])(?:(?:proxy[-_])?authorization|set[-_]cookie2?|cookies?|x(?:[-_][a-z0-9]{1,20}){0,3}[-_](?:api)?(?:key|token|secret|signature|password)(?:[-_]256)?|dd[-_](?:api|application)[-_]key|api-key|private[-_]token|ocp[-_]apim[-_]subscription[-_]key)$/;

const CACHE_MAX = 16_384;
const NO_NAME: FoundName = { kind: 'key', isShort: false, isGlued: false, isId: false };
const known = new Map<string, FoundName>();

/**
 * What name ends an identifier; `wordBefore` is the word before it, because "api key" and "verification code" are written
 * apart as well.
 */
export function nameOf(identifier: string, wordBefore = ''): FoundName | undefined {
  // A time, an address, a number: no name ends in two digits, and each would be remembered.
  const last = identifier.charCodeAt(identifier.length - 1);
  if (last < 58 && identifier.charCodeAt(identifier.length - 2) < 58) return undefined;
  const key = wordBefore === '' ? identifier : `${wordBefore} ${identifier}`;
  const before = known.get(key);
  if (before !== undefined) return before === NO_NAME ? undefined : before;
  if (known.size >= CACHE_MAX) known.clear();
  const found = classified(identifier, wordBefore);
  known.set(key, found ?? NO_NAME);
  return found;
}

/** Whether an identifier may be a name only with the word before it. */
export function needsWordBefore(identifier: string): boolean {
  return (
    identifier.length <= 11 &&
    /^(?:keys?|tokens?|secrets?|codes?|credentials?|id)$/i.test(identifier)
  );
}

function wordsOf(identifier: string): string[] {
  return identifier
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .map((word) => (/^\d/.test(word) ? word : word.replace(/\d+$/, '')))
    .filter((word) => word !== '');
}

function classified(identifier: string, wordBefore: string): FoundName | undefined {
  const lower = identifier.toLowerCase();
  if (HEADER.test(lower)) return found('header');
  const words = [...wordsOf(wordBefore), ...wordsOf(identifier)];
  for (let at = words.length - 1; at >= 0 && at >= words.length - 4; at--) {
    const name = wordName(words[at]!, words[at - 1]);
    if (name === undefined) continue;
    const rest = words.slice(at + 1);
    if (rest.length === 0) return name;
    if (rest.every((word) => /^\d{1,2}$/.test(word) || STILL.test(word))) {
      return name.isShort && !rest.every((word) => /^\d/.test(word)) ? undefined : name;
    }
    const isId = rest.at(-1) === 'id' && name.kind !== 'plain' && !name.isShort;
    if (isId) return { ...name, isId };
    return name.isShort || rest.some((word) => ABOUT.test(word)) ? undefined : name;
  }
  return undefined;
}

function wordName(word: string, before: string | undefined): FoundName | undefined {
  if (PASSWORD.test(word)) return before === 'pwd' ? undefined : found('password');
  if (GLUED_OWNER.test(word)) return found('qualified');
  if (word === 'code' && before !== undefined && CODE_OWNER.test(before))
    return found('code', { isShort: true });
  const short = SHORT[word];
  if (short !== undefined) {
    const isOther = word === 'pass' && before !== undefined && OTHER_PASS.test(before);
    return isOther ? undefined : found(short, { isShort: true });
  }
  const plain = /^(.*?)(secret|credential|token|key)s?$/.exec(word);
  if (plain !== null) return owned(plain[1]!, plain[2]!, before);
  if (/.pw$/.test(word)) return found('password', { isShort: true, isGlued: false });
  const glued = /^(.+)pass$/.exec(word);
  if (glued !== null && !OTHER_PASS.test(glued[1]!))
    return found('password', { isShort: true, isGlued: true });
  return undefined;
}

/** `key` alone is a name of anything; the others are of secrets unless the word before says of what else. */
function owned(glued: string, word: string, before: string | undefined): FoundName | undefined {
  const owner = glued !== '' ? glued : before;
  if (owner !== undefined && NOT_SECRET_BEFORE.test(owner)) return undefined;
  if (glued === '' && before !== undefined && OWNER.test(before)) return found('qualified');
  if (word === 'key') return glued === '' ? found('key') : undefined;
  return found('plain');
}

function found(
  kind: NameKind,
  { isShort = false, isGlued = false }: { isShort?: boolean; isGlued?: boolean } = {},
): FoundName {
  return { kind, isShort, isGlued, isId: false };
}
