/**
 * Secrets and personal data never leave (rule 11). What a change brings in, and what people would read about
 * it, holds none; a reason says what and where, never the value. Secrets that only surround the change, or
 * that it takes out, are hidden wherever the diff is shown, and the check says how many there are.
 */
import { type ReplacedKind, secretKinds } from '../sanitise/index.ts';
import { textsOf } from './check-complete.ts';
import { judged } from './check-result.ts';
import type { CheckResult, VetInput } from './types.ts';

const WHAT: Readonly<Partial<Record<ReplacedKind, string>>> = {
  private_key: 'a private key',
  header: 'a secret in a header',
  connection: 'a password in an address',
  api_key: 'an API key or access token',
  jwt: 'a JSON web token',
  bearer: 'a bearer token',
  basic: 'a name with a password',
  card: 'the number of a payment card',
  iban: 'a bank account',
  phone: 'a telephone number',
  national_id: 'a national identification number',
  email: 'an e-mail address',
};
const what = (kind: ReplacedKind) => WHAT[kind] ?? 'a secret';

export function checkSecrets({ content, diff }: VetInput): CheckResult {
  const incoming = diff.hidden.filter((one) => one.incoming);
  const reasons = [
    ...incoming.map(
      ({ line, kind }) => `Line ${line} of the diff holds what looks like ${what(kind)}.`,
    ),
    ...textsOf(content).flatMap(([name, text]) =>
      [...secretKinds(text)].map((kind) => `${name} holds what looks like ${what(kind)}.`),
    ),
  ];
  const around = diff.hidden.length - incoming.length;
  const result = judged('held', reasons, 'Nothing in it looks like a secret or personal data.');
  return around === 0 ? result : { ...result, note: aroundText(around) };
}

const aroundText = (count: number) =>
  count === 1
    ? '1 secret in the surrounding lines is masked where the diff is shown.'
    : `${count} secrets in the surrounding lines are masked where the diff is shown.`;
