/**
 * Who may talk to the server. A page in a browser can reach loopback addresses too, so every request
 * must name a host we answer for (DNS rebinding) and, where it has an origin, one we trust (CSRF).
 */

export interface GuardSettings {
  /** Besides the loopback names. */
  readonly allowedHosts: readonly string[];
  /** Besides the server's own. */
  readonly allowedOrigins: readonly string[];
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The host without its port, or undefined if it is not a host. */
function hostName(header: string): string | undefined {
  if (!/^[a-z0-9.:[\]-]+$/i.test(header)) return undefined;
  try {
    return new URL(`http://${header}`).hostname;
  } catch {
    return undefined;
  }
}

export function isAllowedHost(header: string | undefined, settings: GuardSettings): boolean {
  const name = header === undefined ? undefined : hostName(header);
  if (name === undefined) return false;
  return LOOPBACK.has(name) || settings.allowedHosts.includes(name);
}

/** No origin: not a browser, or a plain navigation, which sends no token. */
export function isAllowedOrigin(
  origin: string | undefined,
  host: string | undefined,
  settings: GuardSettings,
): boolean {
  if (origin === undefined) return true;
  if (settings.allowedOrigins.includes(origin)) return true;
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

/**
 * Whether a path, as it was sent, goes up or stays by dots. Browsers and libraries take them away before they ask;
 * whoever sends them all the same means a file.
 */
export function hasDotSegment(target: string): boolean {
  const [path = ''] = target.split(/[?#]/, 1);
  return path
    .replace(/%2e/gi, '.')
    .split(/[/\\]|%2f|%5c/i)
    .some((segment) => segment === '.' || segment === '..');
}

/** The secret of a bearer token. The scheme's letter case means nothing (RFC 9110, section 11.1). */
export function bearerSecret(header: string | undefined): string | undefined {
  return /^bearer ([a-z0-9_-]{1,200})$/i.exec(header ?? '')?.[1];
}
