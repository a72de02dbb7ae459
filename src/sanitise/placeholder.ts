/**
 * What is in the place of a secret and is none: a filler, a reference to another place, words. Measured where it can be:
 * in chance signs one of sixty is the same as the one before, in a filler nearly each.
 */

/** Chance in hex repeats one sign of sixteen; `XXXX`, `0000`, `AAAA-BBBB` repeat nearly all. */
const REPEATED_SHARE = 0.45;
const FILLER_LENGTH_MIN = 4;
/** In so few signs two pairs are chance. */
const SHORT_LENGTH = 8;

/** Whether a run is one sign, or a few, over and over. */
export function isFiller(run: string): boolean {
  let repeated = 0;
  let counted = 0;
  for (let at = 1; at < run.length; at++) {
    counted += 1;
    if (run.charCodeAt(at) === run.charCodeAt(at - 1)) repeated += 1;
  }
  if (counted < SHORT_LENGTH) return counted >= FILLER_LENGTH_MIN - 1 && repeated === counted;
  return repeated > counted * REPEATED_SHARE;
}

/** What people write where the reader has to put something; each by itself says so. */
const ASKS =
  /your|example|dummy|placeholder|change[-_ ]?me|change[-_ ]?this|replace|insert|redacted|sample|fake|here|todo|not[-_ ]?a[-_ ]?real|x{4,}|\*{3,}|#{3,}|\.{3,}|…/gi;
const ASKS_SHARE = 0.3;

/** Whether a third of it, or nearly, asks for something to be put there: `…7EXAMPLE`, `PUT_YOUR_TOKEN_HERE`. */
export function asksForValue(value: string): boolean {
  if (value.length < 3) return false;
  let asked = 0;
  // Not matchAll, which makes an expression and an iterator for each of many short values.
  ASKS.lastIndex = 0;
  for (let found = ASKS.exec(value); found !== null; found = ASKS.exec(value))
    asked += found[0].length;
  return asked >= value.length * ASKS_SHARE;
}

const PIECE = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g;
const VOWEL = /[aeiouyAEIOUY]/;
const WORD_LENGTH_MIN = 3;
/** Of the letters of names, and of chance letters cut at each change of case (where it is below a third). */
const WORDY_SHARE = 0.75;
/** Names have five letters to a word; chance is cut into pieces of two. */
const PIECE_LENGTH_MIN = 2.8;
const DIGITS_SHARE_MAX = 0.15;

/** Whether a run is made of words: `sk-learn-like-classifiers`, `AccessTokenHere`. */
export function isWordy(run: string): boolean {
  let [letters, inWords, digits, pieces] = [0, 0, 0, 0];
  PIECE.lastIndex = 0;
  for (let found = PIECE.exec(run); found !== null; found = PIECE.exec(run)) {
    const piece = found[0];
    pieces += 1;
    if (/\d/.test(piece)) digits += piece.length;
    else {
      letters += piece.length;
      if (isWord(piece)) inWords += piece.length;
    }
  }
  if (digits > (letters + digits) * DIGITS_SHARE_MAX) return false;
  if (asksForValue(run) || /^(?:[a-z_-]{16,}|[A-Z_-]{16,})$/.test(run)) return true;
  return inWords > letters * WORDY_SHARE && letters >= pieces * PIECE_LENGTH_MIN;
}

/** A word has a vowel among any five letters; chance letters lack one in four words of five. */
function isWord(piece: string): boolean {
  if (piece.length < WORD_LENGTH_MIN || !VOWEL.test(piece)) return false;
  return !/[^aeiouyAEIOUY]{5}/.test(piece);
}

/** A variable: digits only where several words are written as one, because a secret has them anywhere. */
const NAME = '(?:[A-Za-z_]+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z][a-z0-9]*(?:_[a-z0-9]+)+)';
/** Of something else: `session.accessToken`, `aws_iam_access_key.ci2.id`. */
const PROPERTY = '(?:[A-Za-z_]+\\d{0,2}\\??\\.)+[A-Za-z_]+\\d{0,2}';
const DOTTED = `${NAME}(?:\\.${NAME}|\\[["']?[A-Za-z_]+["']?\\])*`;
/**
 * Whole, and with nothing of a secret in it: `<your key>`, `$NAME`, `$1`, `${NAME}`, `${NAME:=$2}`, `$(cat file)`,
 * `{{ .Values.password }}`, `%NAME%`, `{Name}`, `[NAME]`, `process.env.NAME`, `os.getenv("NAME")`.
 */
const REFERENCE = new RegExp(
  [
    '<[A-Za-z :_-]{1,40}>',
    `\\$(?:${NAME}|\\d)`,
    `\\$\\{[!]?${NAME}(?::?[=?+-](?:\\$\\d|\\$?${NAME}|(?<=\\?)[A-Za-z ._-]{1,60})?)?\\}`,
    `\\$\\{${PROPERTY}\\}`,
    `\\$\\((?:${NAME}|[A-Za-z./_-]+\\s[^)]{0,200})\\)`,
    `\\$?\\{\\{[ -]{0,2}[$.]{0,2}${DOTTED}[ -]{0,2}\\}\\}`,
    `\\{(?:[A-Za-z_]{1,40}|${NAME})\\}`,
    `%[A-Za-z_]{1,40}%`,
    `\\[[A-Za-z_ ]{1,40}\\]`,
    `%[sdvq]`,
    `\\$?(?:process\\.env|os\\.environ|env|var|vars|secrets|config|settings|self|this|args|options|params|data)\\.${DOTTED}`,
    `(?:process\\.env|os\\.environ|ENV)\\[["']?${NAME}["']?\\]`,
    `[A-Za-z_.]{1,60}\\((?:["']?${NAME}["']?)?\\)`,
    '`[a-z][a-z-]*\\s[^`]{0,200}`?',
  ]
    .map((form) => `(?:${form})`)
    .join('|')
    .replace(/^/, '^(?:')
    .replace(/$/, ')[.!?]?$'),
);

function isReference(value: string): boolean {
  return value.length <= 300 && REFERENCE.test(value);
}

/** `ACCESS_TOKEN`, `YOUR_KEY`: a name where a value would be. */
const NAME_OF_VALUE = /^[A-Z]{2,}(?:[_-][A-Z]+)+$/;

const NOTHING =
  /^(?:\*+|x+|\.+|-+|_+|\$|%[sdvq]|null|none|nil|undefined|true|false|yes|no|ok|empty|missing|invalid|required|expired|unknown|redacted|masked|hidden|default|string|str|integer|int|number|boolean|bool|object|array|failed|failure|success|passed|optional|enabled|disabled|denied|revoked|incorrect|wrong|unset|set|n\/a|foo|bar|baz)[.!?]?$/i;

/** Whether a value stands for nothing. */
export function isNothing(value: string): boolean {
  return NOTHING.test(value) || isReference(value);
}

/** Whether a value is there to be replaced by its reader, or names one. */
export function isPlaceholder(value: string): boolean {
  if (isNothing(value) || NAME_OF_VALUE.test(value)) return true;
  if (value.length > 400) return false;
  return isFiller(value.replace(/[-_. ]/g, '')) || asksForValue(value);
}
