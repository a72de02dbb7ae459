/**
 * When words that stand in the same place of otherwise equal messages are values of one variable,
 * and when each makes a message of its own. The one configuration of the miner, for all sources.
 */

export interface Siblings {
  readonly place: number;
  /** The different literal words at that place. */
  readonly values: ReadonlySet<string>;
  /** Some of the messages have a certain variable there (a number, a path). */
  readonly variable: boolean;
  /** Some of them are forms that were already found to vary there. */
  readonly opened: boolean;
  /** Literal words in the rest of the message. */
  readonly context: number;
  /** The separator before the place, and the literal word before that, if it is one. */
  readonly before: string;
  readonly previous: string | undefined;
  /** The separator after the place. */
  readonly after: string;
}

/** Different words that make a variable of a place that an introducing word announces (`for user …`). */
const INTRODUCED = 3;
/** The same if one of them is an identifier in a sentence (`initialized by client UpdateAgent`). */
const NAME_IN_SENTENCE = 2;
/** The same between quotation marks or brackets there; what is in parentheses is said rather than quoted. */
const ENCLOSED_IN_SENTENCE = 2;
/** So many words around make it a sentence. */
const NAME_CONTEXT = 3;
/** The same elsewhere. */
const ELSEWHERE = 5;
/**
 * The same for the first word, participles and names of failures, which say what happened, for words in capitals (states,
 * commands and kinds come in small sets), and for keys (`in=`, `out=`).
 */
const TELLING = 16;
/** The same after a word that opens a phrase (`failed to …`, `is …`): there, words are English. */
const IN_PHRASE = 8;
/** Units that a program chooses by the size of the number before them: `903.1 KB`, `1.2 GB`. */
const SCALES = /^(?:[kKMGTP]?i?B|[munµ]?s)$/;
const SCALED = 2;
/** Two addresses may differ in their scheme. */
const SCHEMES = 2;
/** Single letters are axes, units, flags: a small alphabet that is written out. */
const LETTERS = 8;

/** Prepositions, and nouns that a name follows. */
const INTRODUCES = new Set(
  (
    'for from by on at with in of via as under into against through using called named name id ' +
    'user account group host node machine server client peer address domain port device disk volume ' +
    'interface file directory folder path module package plugin class method function service daemon ' +
    'process program command thread task job worker container image instance session connection queue ' +
    'topic table database index key bucket branch repository tool agent model project tenant region'
  ).split(' '),
);

/** Articles, auxiliaries, conjunctions and `to`: closed classes of English. */
const OPENS_PHRASE = new Set(
  (
    'a an the no not to is are was were be been being am has have had do does did will would can ' +
    'cannot could should shall may might must and or but if when while as than then that which'
  ).split(' '),
);

/** Keys whose value says what kind of message it is: two of them are two templates, as two words would be. */
const TELLING_KEYS = new Set(
  'level severity lvl msg message event type kind error err exception reason'.split(' '),
);

/** A word right behind one of these says what went wrong, or how it ended. */
const NAMES_FAILURE = new Set('code errno error exception fault status outcome result'.split(' '));

export function namesFailure(word: string): boolean {
  return NAMES_FAILURE.has(word.toLowerCase());
}

export function varies(siblings: Siblings): boolean {
  const { values, context } = siblings;
  if (context === 0) return false;
  // Without a word there they differ in the length of a list, which was judged already.
  if (siblings.opened || values.size === 0) return siblings.opened;
  const starts = isStart(siblings) && ![...values].every(isNumbered);
  if (siblings.variable && !starts && context >= 2) return true;
  return !isTold(siblings.before, siblings.previous) && values.size >= needed(siblings, starts);
}

/** The first word, also of a text in quotation marks: it mostly says what happened. */
function isStart(siblings: Surroundings): boolean {
  return siblings.place === 0 && /^["'`]*$/.test(siblings.before) && !isEnclosed(siblings);
}

export function isTellingKey(key: string): boolean {
  return TELLING_KEYS.has(key.toLowerCase());
}

/** The value of a telling key, and what a word for failures names: `code rate_limit`, `error "not_found"`. */
function isTold(before: string, previous: string | undefined): boolean {
  const key = previous ?? '';
  if (/^ ["'`(]?$/.test(before)) return namesFailure(key);
  return (isAssignment(before) || before === ': ') && isTellingKey(key);
}

function needed(siblings: Siblings, starts: boolean): number {
  if (starts || isKey(siblings)) return TELLING;
  const values = [...siblings.values];
  if (siblings.previous === undefined && values.every((value) => SCALES.test(value))) return SCALED;
  if (values.every((value) => value.length === 1)) return LETTERS;
  const isSentence = siblings.context >= NAME_CONTEXT;
  if (isEnclosed(siblings) && (values.every(isCode) || isDetail(siblings))) return TELLING;
  if (isEnclosed(siblings))
    return isSentence && !siblings.before.endsWith('(') ? ENCLOSED_IN_SENTENCE : INTRODUCED;
  if (values.filter(isParticiple).length * 2 > values.length) return TELLING;
  if (values.some(isFault)) return TELLING;
  if (siblings.after.startsWith('://')) return SCHEMES;
  if (siblings.before === ': ' && isSentence && values.some(isName)) return NAME_IN_SENTENCE;
  if (siblings.before !== ' ' || siblings.previous === undefined) return ELSEWHERE;
  const previous = siblings.previous.toLowerCase();
  if (OPENS_PHRASE.has(previous)) return IN_PHRASE;
  if (values.every(isCapitals)) return TELLING;
  if (isSentence && values.some(isName)) return NAME_IN_SENTENCE;
  return INTRODUCES.has(previous) ? INTRODUCED : ELSEWHERE;
}

/** `key=`, `{"key":`. */
function isKey({ before, after }: Siblings): boolean {
  return /^ ?=/.test(after) || (/^["']\s*:/.test(after) && /[{,]\s*["']$/.test(before));
}

/** `(spawning)`, `[main]`, `'x'`: alone between marks that enclose, a word is mostly a value. */
function isEnclosed({ before, after }: Surroundings): boolean {
  const open = before.at(-1) ?? '';
  const close = CLOSES[open];
  return close !== undefined && after.startsWith(close);
}

export const CLOSES: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '{': '}',
  '"': '"',
  "'": "'",
  '`': '`',
};

/** `node-<*>`: a word with a number in it that varies. */
function isNumbered(value: string): boolean {
  return /\d/.test(value);
}

/** `Started`, `pausing`: what an English word for an event mostly looks like. */
export function isParticiple(value: string): boolean {
  return /^[a-z]{2,}(ed|ing)$/i.test(value);
}

/** `TypeError`, `IOException`: names of kinds of failures, which say what happened. */
function isFault(value: string): boolean {
  return /(?:Error|Exception|Fault|Warning)$/.test(value);
}

/** `ECONNRESET`, `NOT_FOUND`, `TypeError`: names of kinds, rather than of things. */
function isCode(value: string): boolean {
  return isFault(value) || /^[A-Z][A-Z_]{2,}$/.test(value);
}

/** `card declined (lost_card): …`: what stands in parentheses before a colon says what happened more exactly. */
function isDetail({ before, after }: Pick<Siblings, 'before' | 'after'>): boolean {
  return before === ' (' && after.startsWith('):');
}

function isCapitals(value: string): boolean {
  return value === value.toUpperCase() && value !== value.toLowerCase();
}

type Surroundings = Pick<Siblings, 'place' | 'before' | 'previous' | 'after'>;

/** Places that are taken for values together, if enough forms agree in all others. */
export interface OpenRule {
  opens(text: string, place: Surroundings): boolean;
  /** So many forms must agree elsewhere, in so many literal words. */
  readonly forms: number;
  readonly context: number;
}

export const OPEN_RULES: readonly OpenRule[] = [
  {
    opens: (_, { before, previous }) => isAssignment(before) && !isTold(before, previous),
    forms: 2,
    context: 1,
  },
  {
    opens: (text, place) =>
      isName(text) &&
      !isFault(text) &&
      !isTold(place.before, place.previous) &&
      !isDetail(place) &&
      (place.before === '' || !isStart(place) || isNumbered(text)),
    forms: 3,
    context: NAME_CONTEXT,
  },
];

/** `key=`, `key = `, `key="`, `"key":"`: what follows is a value by notation. */
function isAssignment(before: string): boolean {
  return /(=|= |=["']|":"|": ")$/.test(before);
}

/** An identifier rather than a word: dotted, joined, or with a capital inside. States are in capitals. */
function isName(text: string): boolean {
  if (isCapitals(text)) return false;
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // . _ $ / \ @
    if (code === 46 || code === 95 || code === 36 || code === 47 || code === 92 || code === 64)
      return true;
    if (code < 65 || code > 90) continue;
    const before = text.charCodeAt(at - 1);
    if (before >= 97 && before <= 122) return true;
  }
  return false;
}
