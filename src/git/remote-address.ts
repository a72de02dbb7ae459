/**
 * Which addresses of a remote are used. They come from the target's own configuration, which is
 * attacker-controlled, and git runs programs for some (`ext::`, an ssh option in the place of a host). Only what is
 * plainly an https, ssh or file address is taken, and http on this machine alone.
 */
import { isAbsolute } from 'node:path';
import { isLoopback } from '../base/index.ts';
import { GitError } from './errors.ts';
import { shownPath } from './paths.ts';

export interface RemoteAddress {
  /** Without a secret: it is shown and recorded. */
  readonly text: string;
  /** The only protocol that git may speak for it. */
  readonly protocol: 'https' | 'http' | 'ssh' | 'file';
}

/** It is part of every decision (`targetSchema`). */
const LENGTH_MAX = 200;

/** `[user@]host:path`, as ssh users write it. A colon after it is another transport's. */
const SCP = /^(?:[A-Za-z0-9_][A-Za-z0-9_.-]*@)?[A-Za-z0-9_][A-Za-z0-9_.-]*:(?![:/]\/?:|:|\/\/).+$/;

export function readAddress(text: string): RemoteAddress {
  const problem = plainProblem(text);
  if (problem !== undefined) throw badRemote(text, problem);
  if (isAbsolute(text)) return { text, protocol: 'file' };
  if (!text.includes('://') && SCP.test(text)) return { text, protocol: 'ssh' };
  // As git reads it too: a URL for browsers may leave out slashes, or have too many.
  const isUrl = /^[a-z]+:\/\/(?:[^/]|(?<=^file:\/\/)\/)/.test(text) && URL.canParse(text);
  const url = isUrl ? new URL(text) : undefined;
  if (url === undefined) throw badRemote(text, 'it is not an address');
  if (url.password !== '')
    throw badRemote(url.host, 'it holds a password, which every process on the machine could read');
  if (url.search !== '' || url.hash !== '') throw badRemote(text, 'it has a query or a fragment');
  return { text, protocol: protocolOf(url, text) };
}

function plainProblem(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (text.length > LENGTH_MAX) return `it is longer than ${LENGTH_MAX} characters`;
  return /[\s\p{Cc}\p{Cf}\p{Cs}]/u.test(text)
    ? 'it holds a character that is not plain'
    : undefined;
}

function protocolOf(url: URL, text: string): RemoteAddress['protocol'] {
  // Git hands user and host to ssh, which would take a leading dash for an option.
  if ([url.username, url.hostname, decodeURIComponent(url.username)].some((one) => /^-/.test(one)))
    throw badRemote(text, 'its user or host begins with a dash');
  if (url.protocol === 'file:' && url.host === '') return 'file';
  if (url.protocol === 'https:' && url.host !== '') return 'https';
  if (url.protocol === 'ssh:' && url.host !== '') return 'ssh';
  if (url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, ''))) return 'http';
  if (url.protocol === 'http:') throw badRemote(text, 'http is not encrypted');
  throw badRemote(text, `${url.protocol.slice(0, -1)} is not one of https, ssh and file`);
}

function badRemote(text: string, why: string): GitError {
  return new GitError(
    'bad_remote',
    `The remote's address ${shownPath(text)} is not used: ${why}.`,
    {
      hint: 'Use https://, ssh:// or host:path, or the absolute path of a repository. A password belongs into deploy.credentialHelper.',
    },
  );
}

/** The name of a remote, as `git remote add` takes it; else it is an address. */
export const isRemoteName = (text: string) => /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(text);
