/**
 * A database URL and what may be shown of it. It is built from the parts that are known to be harmless,
 * never by cutting out the others: a password may hold any of the characters that a URL is split at.
 */

export interface Address {
  /** Fit to be shown: scheme, user, server, database, and the parameters that say where. */
  readonly shown: string;
  /** Whether it is certain where the password ends. */
  readonly isClear: boolean;
  /** `text` without the secrets of the URL. */
  hide(text: string): string;
}

const UNCLEAR: Address = { shown: 'postgres://…', isClear: false, hide: () => '…' };

const SHOWN_PARAMETERS = ['host', 'port', 'sslmode'];
const SECRET_PARAMETER = /pass|key|secret|token/i;
/** Taking out every "a" would hide nothing, and leave no message to read. */
const SECRET_LENGTH_MIN = 3;

export function readAddress(url: string): Address {
  // A user without a server, for a socket that `host` names; to `URL` an empty name is an error.
  const named = URL.parse(url);
  const parts = named ?? URL.parse(url.replace('@/', '@localhost/'));
  if (parts === null || !/^postgres(ql)?:$/.test(parts.protocol)) return UNCLEAR;
  const { protocol, username, pathname, search, hash, searchParams } = parts;
  // An unescaped / ? or # in a password ends the server's name too early, and leaves its @ behind.
  if (`${pathname}${search}${hash}`.includes('@')) return UNCLEAR;
  const shown = SHOWN_PARAMETERS.filter((name) => searchParams.has(name)).map(
    (name) => `${name}=${encodeURI(searchParams.get(name)!)}`,
  );
  const server = `${username === '' ? '' : `${username}@`}${named === null ? '' : parts.host}`;
  const secrets = secretsOf(parts);
  return {
    shown: `${protocol}//${server}${pathname}${shown.length === 0 ? '' : `?${shown.join('&')}`}`,
    isClear: true,
    hide: (text) => secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text),
  };
}

/** As they were written and as they are meant, the longest first. */
function secretsOf({ password, searchParams }: URL): string[] {
  const values = [...searchParams].filter(([name]) => SECRET_PARAMETER.test(name));
  return [password, decoded(password), ...values.map(([, value]) => value)]
    .filter(({ length }) => length >= SECRET_LENGTH_MIN)
    .sort((one, other) => other.length - one.length);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // not meant to be decoded
  }
}
