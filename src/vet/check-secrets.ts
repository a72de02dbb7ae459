/**
 * Secrets and personal data never leave (rule 11). Looks for shapes in what a change brings in and in
 * what people would read; a reason says what and where, never the value. Every expression has bounded
 * repeats, so that the time is linear in the text.
 */
import { textsOf } from './check-complete.ts';
import { judged } from './check-result.ts';
import type { CheckResult, VetInput } from './types.ts';

interface Shape {
  readonly what: string;
  readonly pattern: RegExp;
  /** Of what was matched: the group `value` where there is one. */
  readonly honest?: (value: string) => boolean;
}

const SECRET_NAME =
  '(?:password|passwd|pwd|passphrase|secret|credentials?|token|(?:api|access|secret|private|signing)[-_]?key|(?:access|auth|bearer|refresh|session)[-_]?token|client[-_]?secret)';

const SHAPES: readonly Shape[] = [
  { what: 'a private key', pattern: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/g },
  {
    what: 'an access token',
    pattern:
      /\b(?:gh[pousr]_|github_pat_|glpat-|sk-|rk_live_|sk_live_|xox[abeprs]-|pypi-|ya29\.|dop_v1_|shpat_)[A-Za-z0-9_-]{16}/g,
  },
  { what: 'an access token', pattern: /\b(?:npm|hone|hf)_[A-Za-z0-9]{24}/g },
  { what: 'a cloud access key', pattern: /\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{16}\b/g },
  { what: 'an API key', pattern: /\bAIza[A-Za-z0-9_-]{30}/g },
  { what: 'a JSON web token', pattern: /\beyJ[A-Za-z0-9_-]{8,300}\.[A-Za-z0-9_-]{8}/g },
  { what: 'a bearer token', pattern: /\bBearer\s{1,4}[A-Za-z0-9._~+/=-]{16}/gi },
  {
    what: 'a webhook address',
    pattern: /\bhooks\.slack\.com\/services\/[A-Za-z0-9/]{10}/g,
  },
  {
    what: 'a password in an address',
    pattern: /:\/\/[^\s:@/]{0,200}:(?<value>[^\s@/]{1,500})@/g,
    honest: isReference,
  },
  {
    what: 'a named secret',
    pattern: new RegExp(
      `(?<![A-Za-z0-9])${SECRET_NAME}["']?\\s{0,8}[:=]\\s{0,8}["']?(?<value>[^\\s"',;]{8,500})`,
      'gi',
    ),
    honest: isReference,
  },
  {
    what: 'an e-mail address',
    pattern:
      /(?<![A-Za-z0-9._%+-])(?<value>[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24})(?![A-Za-z0-9])/g,
    honest: isNobodysAddress,
  },
];

/** Says where a secret is, and is none: an environment variable, a template, a mark. */
function isReference(value: string): boolean {
  return /^(?:\$|env:|secret:|vault:|\{\{|\{[A-Za-z_]|<|\*{3}|\[REDACTED|process\.env|os\.environ|%[A-Za-z_]+%|[\d._]+$)/i.test(
    value,
  );
}

/** RFC 2606's domains belong to nobody; `git@` is how repositories are named. */
function isNobodysAddress(address: string): boolean {
  return (
    /[@.]example\.(?:com|net|org)$|\.(?:example|invalid|test|localhost)$/i.test(address) ||
    /^git@/i.test(address)
  );
}

/** What a text seems to hold, each once. */
function secretsIn(text: string): string[] {
  return SHAPES.filter(({ pattern, honest }) => {
    for (const match of text.matchAll(pattern))
      if (honest === undefined || !honest(match.groups?.['value'] ?? match[0])) return true;
    return false;
  }).map(({ what }) => what);
}

export function checkSecrets({ content, diff }: VetInput): CheckResult {
  const reasons = [
    ...diff.incoming.flatMap(({ number, text }) =>
      secretsIn(text).map((what) => `Line ${number} of the diff holds what looks like ${what}.`),
    ),
    ...textsOf(content).flatMap(([name, text]) =>
      secretsIn(text).map((what) => `${name} holds what looks like ${what}.`),
    ),
  ];
  return judged('held', reasons, 'Nothing in it looks like a secret or personal data.');
}
