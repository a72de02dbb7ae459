/** What is to be replaced in a text: what one pass finds, what rules over whole texts find, and what is encoded in it. */
import { commandLines } from './commands.ts';
import { DEPTH_MAX, Found, joined, type Scope } from './found.ts';
import { keyBodies } from './key-bodies.ts';
import { ownRules } from './own-rules.ts';
import { Pass } from './pass.ts';
import { nameOf } from './secret-names.ts';
import { beginning, isDigitCode } from './signs.ts';
import { leavesStrong, strongTokens } from './strong-tokens.ts';
import { columnsOf, markupColumns } from './tables.ts';
import type { Edit } from './types.ts';
import { viewsOf } from './views.ts';
import { WORD_TRIGGERS } from './words.ts';

export interface Scanned {
  /** What is to be replaced, in order and without overlaps. */
  readonly edits: readonly Edit[];
  /** Once it is replaced, a scan of what is left finds nothing. */
  readonly isLast: boolean;
}

export function scan(text: string, scope: Scope): Scanned {
  const found = new Found(text, scope);
  new Pass(found, (said) => {
    const inner = { ...scope, depth: scope.depth + 1, without: ONLY_SECRETS };
    return scan(said, inner).edits.length > 0;
  }).run();
  afterPass(found);
  const edits = joined(found.edits);
  return {
    edits,
    isLast:
      edits.length === 0 ||
      (!found.isFar && edits.every((edit) => isInert(text, edit)) && !leavesStrong(found)),
  };
}

/** Behind these nothing goes on with what was before them. */
const SEPARATES = /[\s"'`),;\]}]/;
/** Before these no name stands whose value the address would be. */
const BEFORE_ADDRESS = /[\s"'`(,;[/@]/;

/**
 * Most telemetry that is changed at all is changed in its paths and addresses only. What stays of them stands beside what
 * it stood beside before, so unless the word that is now last means something, a second scan finds what the first did.
 */
function isInert(text: string, { kind, start, end, mark }: Edit): boolean {
  const next = text[end] ?? ' ';
  if (kind === 'address')
    return BEFORE_ADDRESS.test(text[start - 1] ?? ' ') && (next === ':' || SEPARATES.test(next));
  if ((kind !== 'path' && kind !== 'url') || mark !== '') return false;
  // `a.ts:12:3`: the line of a path, and of nothing else.
  const isLine = kind === 'path' && next === ':' && isDigitCode(text.charCodeAt(end + 1));
  if (!isLine && !SEPARATES.test(next)) return false;
  const word = /[A-Za-z0-9_-]*$/.exec(text.slice(Math.max(0, start - 64), start))![0];
  return (
    word.length < 64 &&
    !/^[0-9a-f]{1,4}$/i.test(word) &&
    WORD_TRIGGERS[beginning(`${word}   `, 0)] === 0 &&
    nameOf(word) === undefined
  );
}

function afterPass(found: Found): void {
  const { rules, scope, text } = found;
  if (found.hasCommand) {
    found.isFar = true;
    commandLines(found);
  }
  if (found.columns.length > 0) {
    found.isFar = true;
    columnsOf(found, found.columns);
    if (text.includes('</th>')) markupColumns(found);
  }
  if (found.bodyLines.length > 1) keyBodies(found);
  if (found.topics.length > 0) strongTokens(found, found.topics);
  if (rules.rules !== undefined && rules.rules.length > 0) {
    found.isFar = true;
    ownRules(found, rules.rules);
  }
  if (found.hidden.length === 0 || scope.depth >= DEPTH_MAX) return;
  found.isFar = true;
  const inner = { ...scope, depth: scope.depth + 1, without: INSIDE_VIEWS };
  for (const { text: said, origins } of viewsOf(text, found.hidden)) {
    for (const { kind, start, end, mark } of scan(said, inner).edits)
      found.add(kind, origins[start]!, origins[end]!, mark);
  }
}

/** Places are cut in the text itself. */
const INSIDE_VIEWS: Scope['without'] = new Set([
  'url',
  'path',
  'user',
  'address',
  'uuid',
  'control',
]);
const ONLY_SECRETS: Scope['without'] = new Set([
  ...INSIDE_VIEWS,
  'card',
  'iban',
  'phone',
  'national_id',
  'email',
]);
