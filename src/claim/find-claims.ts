/**
 * Statements in an agent's text that can be checked: files, symbols, signatures, tables, snippets of code. Names count in
 * backticks; a path counts wherever it stands. What a text says to be gone, wished for or not done is not checked.
 */
import { KNOWN_EXTENSIONS } from './code-index.ts';
import type { Claim } from './types.ts';

const FENCE =
  /^([ \t]*)(```+|~~~+)[ \t]*([\w+#-]*)[^\n]*\n([\s\S]*?)(?:^[ \t]*\2[ \t]*$|(?![\s\S]))/gm;
const PATH = String.raw`(?:\.{0,2}/)?(?:[\w@+-][\w@.+-]*/)*[\w@+-][\w@.+-]*\.[A-Za-z][A-Za-z0-9]{0,7}`;
const QUOTED = /`([^`\n]{1,400})`/g;
const BARE_PATH = new RegExp(String.raw`(?<![\w./@:\`-])${PATH}(?![\w/\`-])(?!\.\w)`, 'g');
const WHOLE_PATH = new RegExp(`^${PATH}$`);
const TEST_ID = /^([\w@./+-]+\.\w{1,5})::([\w:[\]-]+)$/;
const FOLDER = /^(?:\.{0,2}\/)?(?:[\w@.+-]+\/)+$/;
const IDENTIFIER = String.raw`#?[A-Za-z_$][\w$]*`;
const NAME = new RegExp(
  String.raw`^(?:\(\*?(\w+)\)\.)?(${IDENTIFIER}(?:\.${IDENTIFIER}){0,3})(?:\(\))?$`,
);
const CALLED = new RegExp(
  String.raw`^(?:export\s+)?(?:async\s+)?(?:def\s+|func\s+|function\s+|new\s+|const\s+)?(?:\(\s*(?:\w+\s+)?\*?(\w+)(?:\[[^\]]*\])?\s*\)\s*\.?)?\s*(${IDENTIFIER}(?:\.${IDENTIFIER}){0,3})(?:<[^()]*>|\[[^()]*\])?\(`,
);

/** Words behind which something is not claimed to be there. */
const NOT_THERE =
  /\b(?:remov(?:e|es|ed|ing)|delet(?:e|es|ed|ing)|dropp?(?:ed|ing|s)?|no longer|there is no|there are no|without|instead of|renamed|formerly|used to be|got rid of|did not (?:add|create|touch)|didn[’']t (?:add|create|touch)|not yet|could add|should add|would be|plan to|next step)\b/i;
const BACK_THERE = /\b(?:from|in|inside|within|of|to|into)\s+(?:the\s+)?(?:\w+\s+)?$/i;
const NOUN =
  '(?:arrow |async |static |private |public |abstract |generic |helper |exported |unexported |new |pure )*(?:function|method|class|interface|type|struct|enum|decorator|getter|setter|property|constant|constants|dataclass|protocol|helper|hook|component|mixin|generator|constructor|option|functions|methods|classes|types|interfaces|test|fixture)';
const DEFINES =
  /\b(?:defin(?:e|ed|es)|declar(?:e|ed|es)|implement(?:s|ed)?|add(?:s|ed)?|introduc(?:e|ed|es)|wrote|writ(?:e|ten)|creat(?:e|ed|es)|mov(?:e|ed|es)|put|lives?|new|expos(?:e|ed|es)|export(?:s|ed)?|extract(?:s|ed)?)\b/i;

interface Mention {
  readonly at: number;
  readonly end: number;
  readonly text: string;
  readonly isQuoted: boolean;
}

export function findClaims(given: string): Claim[] {
  const claims: Claim[] = [];
  const prose = given.replace(FENCE, (whole, _indent, _mark, language: string, code: string) => {
    if (language !== '')
      claims.push({ level: 'snippet', said: code, name: code, language: language.toLowerCase() });
    return '\n'.repeat(whole.split('\n').length);
  });
  for (const sentence of sentencesOf(prose.replace(/https?:\/\/[^\s)`>]+/g, ' ')))
    claims.push(...claimsOf(sentence));
  return claims;
}

/** Lines, and within them sentences: a dot before a space and what begins a sentence. */
function sentencesOf(text: string): string[] {
  return text.split(/\n+|(?<=[.!?][)"’]?)\s+(?=[A-Z`(“"-])/).filter((one) => one.trim() !== '');
}

function mentionsIn(sentence: string): Mention[] {
  const quoted = [...sentence.matchAll(QUOTED)].map((one) => ({
    at: one.index,
    end: one.index + one[0].length,
    text: one[1]!.trim(),
    isQuoted: true,
  }));
  const masked = sentence.replace(QUOTED, (whole) => ' '.repeat(whole.length));
  const bare = [...masked.matchAll(BARE_PATH)].flatMap((one) =>
    isPath(one[0], false)
      ? [{ at: one.index, end: one.index + one[0].length, text: one[0], isQuoted: false }]
      : [],
  );
  return [...quoted, ...bare].sort((a, b) => a.at - b.at);
}

function isPath(text: string, isQuoted: boolean): boolean {
  if (!WHOLE_PATH.test(text)) return false;
  const extension = text.slice(text.lastIndexOf('.') + 1).toLowerCase();
  if (!KNOWN_EXTENSIONS.has(extension)) return false;
  if (text.includes('/')) return true;
  // Node.js, Next.js: a product, unless it is marked as a name.
  return isQuoted || !/^(?:[A-Z]\w*|node|next|vue|three|d3|express)\.(?:js|ts|io)$/.test(text);
}

function claimsOf(sentence: string): Claim[] {
  const mentions = mentionsIn(sentence);
  const claims: Claim[] = [];
  for (const [nth, mention] of mentions.entries()) {
    const before = sentence.slice(0, mention.at);
    const after = sentence.slice(mention.end);
    const since = sentence.slice(mentions[nth - 1]?.end ?? 0, mention.at);
    if (NOT_THERE.test(before) && !BACK_THERE.test(since)) continue;
    const { text: said, isQuoted } = mention;
    const test = TEST_ID.exec(said);
    if (test !== null) {
      claims.push({ level: 'file', said, name: test[1]! });
      const chain = test[2]!.split('::').map((one) => one.replace(/\[.*$/, ''));
      claims.push({
        level: 'symbol',
        said,
        name: chain.slice(-2).join('.'),
        file: test[1]!,
        isDefinition: true,
      });
    } else if (isPath(said, isQuoted)) claims.push({ level: 'file', said, name: said });
    else if (FOLDER.test(said)) claims.push({ level: 'file', said, name: said });
    else if (isQuoted)
      claims.push(...namedClaims(said, { sentence, mentions, nth, before, after, since }));
  }
  return claims;
}

interface Around {
  readonly sentence: string;
  readonly mentions: readonly Mention[];
  readonly nth: number;
  readonly before: string;
  readonly after: string;
  /** Between the mention before and this one. */
  readonly since: string;
}

const TABLE_BEFORE = /\btables?(?: is)?(?: (?:called|named))?\s*$/i;
const TABLE_AFTER = /^\s*(?:\(\s*)?(?:database )?tables?\b/i;

function namedClaims(said: string, around: Around): Claim[] {
  const { before, after, since, mentions, nth } = around;
  if (/^\w+$/.test(said) && (TABLE_BEFORE.test(before) || TABLE_AFTER.test(after)))
    return [{ level: 'table', said, name: said }];
  const file = tiedFile(around);
  const nounBefore = new RegExp(String.raw`\b${NOUN}\s*:?\s*$`, 'i').test(since);
  const nounAfter = new RegExp(String.raw`^\s+(?:base |abstract )?${NOUN}\b`, 'i').test(after);
  const isDefinition =
    nounBefore || nounAfter || (file !== undefined && DEFINES.test(around.sentence));
  // `X`'s constructor takes `(a, b)`.
  if (/^\(.*\)$/s.test(said) && /constructor/i.test(since)) {
    const owner = mentions[nth - 1]?.text;
    if (owner === undefined || !/^\w+$/.test(owner)) return [];
    return [{ level: 'signature', said, name: owner, parameters: said.slice(1, -1), file }];
  }
  const called = signatureOf(said);
  if (called !== undefined) return [{ level: 'signature', said, file, isDefinition, ...called }];
  const name = NAME.exec(said);
  if (name === null) return [];
  const [, receiver, own = ''] = name;
  const owner = receiver ?? ownerOf(own, around);
  return [
    {
      level: 'symbol',
      said,
      name: owner === undefined ? own : `${owner}.${own}`,
      file,
      isDefinition,
    },
  ];
}

/** The file behind the name, with a word between them that says where. */
function tiedFile({ sentence, mentions, nth }: Around): string | undefined {
  const next = mentions.slice(nth + 1).find(({ text, isQuoted }) => isPath(text, isQuoted));
  if (next === undefined) return undefined;
  const mention = mentions[nth]!;
  const between = sentence.slice(mention.end, next.at);
  if (/[;:]|\bso\b|\bbecause\b|\bwhich\b/.test(between) && !/declared|defined/.test(between))
    return undefined;
  return /(?:\b(?:in|into|to|from|of|at|inside|by|see|entry)\s*(?:the )?(?:file |module |package entry )?|\()\s*$/i.test(
    between,
  )
    ? next.text
    : undefined;
}

/** "`m` method to `Owner`", "`m` of `Owner`". Only what is called a member is one: a module is no owner. */
function ownerOf(
  own: string,
  { sentence, mentions, nth, since, after }: Around,
): string | undefined {
  if (own.includes('.')) return undefined;
  const next = mentions[nth + 1];
  if (next === undefined || !/^[A-Z]\w*$/.test(next.text)) return undefined;
  const between = sentence.slice(mentions[nth]!.end, next.at);
  const isMember =
    /\b(?:method|getter|setter|property|field|helper|member|attribute|constructor)\b/i;
  if (
    !/^(?:\s+\w+)?\s+(?:to|of|on|in|for)\s+(?:the\s+)?(?:class\s+|type\s+|struct\s+)?$/i.test(
      between,
    )
  )
    return undefined;
  return isMember.test(since) || isMember.test(after.slice(0, between.length))
    ? next.text
    : undefined;
}

/** A name with something between its parentheses; undefined if it is none. */
function signatureOf(said: string): Pick<Claim, 'name' | 'parameters' | 'returns'> | undefined {
  const head = CALLED.exec(said);
  if (head === null) return undefined;
  let depth = 0;
  let end = -1;
  for (let at = head[0].length - 1; at < said.length && end < 0; at++) {
    if ('([{'.includes(said[at]!)) depth += 1;
    if (')]}'.includes(said[at]!)) depth -= 1;
    if (depth === 0) end = at;
  }
  if (end < 0) return undefined;
  const parameters = said.slice(head[0].length, end).trim();
  const rest = said.slice(end + 1).trim();
  // A chain of calls, or what follows is no type: it is used here, not described.
  if (/^[.(=]/.test(rest) && !/^\(/.test(rest)) return undefined;
  const returns = rest
    .replace(/^(?:->|:|=>)\s*/, '')
    .replace(/[:{]\s*$/, '')
    .trim();
  if (parameters === '' && returns === '') return undefined;
  const name = head[1] === undefined ? head[2]! : `${head[1]}.${head[2]}`;
  return { name, parameters, returns: returns === '' ? undefined : returns };
}
