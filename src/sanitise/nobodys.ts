/** What looks like a secret or an address, and belongs to nobody. */
import type { ReplacedKind } from './types.ts';

/** RFC 2606 keeps these domains free. */
const RESERVED = /(?:[@.]example\.(?:com|net|org)|\.(?:example|invalid|test|localhost))$/i;
/** The password is a reference to another place: `app:$PW@db`, `app:${PW}@db`, `app:<password>@db`. */
const REFERENCE =
  /^[^:@\s]{0,200}:(?:\$[A-Za-z_]{1,100}|\$\{[A-Za-z_]{1,100}\}|\{\{?[A-Za-z_. ]{1,100}\}\}?|<[A-Za-z _-]{1,40}>|%[A-Za-z_]{1,100}%|\*{3,})@/;
const VARIABLE = /^%[A-Za-z_]{1,100}%$/;

export function isReferencedSecret(user: string): boolean {
  return REFERENCE.test(user);
}

export function isNobodys(kind: ReplacedKind, value: string): boolean {
  if (kind === 'email') return RESERVED.test(value);
  if (kind === 'connection') return REFERENCE.test(value);
  return kind === 'key' && VARIABLE.test(value);
}
