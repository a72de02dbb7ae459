/**
 * What kind of limit a failure runs into, by its code and its words. The words are a small lexicon,
 * not a model: what it does not know is `other`.
 */
import type { FailureGroup, FailureKind } from '../facts/index.ts';

/** Messages are attacker-controlled; their kind shows near their beginning. */
const LOOKED_AT_CHARS = 2000;

const CODES: readonly (readonly [FailureKind, RegExp])[] = [
  ['retries_exhausted', /^(?:e?retries_?exhausted|max_?retries(?:_exceeded)?|too_many_retries)$/],
  [
    'rate_limit',
    /^(?:(?:http_?)?429|e?rate_?limit\w*|too_many_requests|quota_exceeded|throttl\w*)$/,
  ],
  [
    'size_limit',
    /^(?:(?:http_?)?413|e2big|emsgsize|(?:payload|request)_too_large|context_length_exceeded)$/,
  ],
  [
    'timeout',
    /^(?:(?:http_?)?(?:408|504)|e?time(?:d_?)?out\w*|\w*_timed?_?out|deadline_exceeded)$/,
  ],
];

/** In the order they are tried: a message about exhausted retries often names the last cause, too. */
const WORDS: readonly (readonly [FailureKind, RegExp])[] = [
  [
    'retries_exhausted',
    /retries (?:were |are )?(?:exhausted|exceeded)|out of retries|(?:gave|giving|given) up after|max(?:imum)? (?:number of )?(?:retries|attempts)|after \d+ (?:attempts|retries|tries)/,
  ],
  [
    'rate_limit',
    /rate[ _-]?limit|too many requests|quota|throttl|(?:http|status|code|error)\W{0,3}429\b|^429\b/,
  ],
  [
    'size_limit',
    /too large|(?<!\b(?:took|takes?|taking|waited|waiting)\b.{0,20})too long|maximum context|context length|context window|token limit|max[ _]tokens|payload (?:size|exceed)|exceeds the (?:maximum|limit)|e2big/,
  ],
  [
    'timeout',
    /timed?[ -]?out|timeouts?\b|deadline (?:was )?exceeded|etimedout|\b(?:took|takes?|taking|waited|waiting)\b.{0,20}too long/,
  ],
];

export function failureKind(
  group: Pick<FailureGroup, 'errorCode' | 'template' | 'examples'>,
): FailureKind {
  const told = kindWithoutExamples(group);
  return told === 'other' ? mostExamples(group) : told;
}

/** By its code and its template; `other` where only examples could tell. */
export function kindWithoutExamples(
  group: Pick<FailureGroup, 'errorCode' | 'template'>,
): FailureKind {
  const code = group.errorCode
    .trim()
    // gRPC's `DeadlineExceeded` is its `DEADLINE_EXCEEDED`.
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[\s.-]+/g, '_')
    .slice(0, 200);
  return CODES.find(([, pattern]) => pattern.test(code))?.[0] ?? kindOfText(group.template);
}

function kindOfText(text: string): FailureKind {
  const words = text.slice(0, LOOKED_AT_CHARS).toLowerCase();
  return WORDS.find(([, pattern]) => pattern.test(words))?.[0] ?? 'other';
}

/** A template that generalised to `<*>` is no evidence; then more than half of the messages must agree. */
function mostExamples({ examples }: Pick<FailureGroup, 'examples'>): FailureKind {
  const kinds = examples.map(({ message }) => kindOfText(message));
  const first = WORDS.map(([kind]) => kind).find(
    (kind) => kinds.filter((one) => one === kind).length * 2 > kinds.length,
  );
  return first ?? 'other';
}
