/**
 * How a client starts the hook. It goes through a shell with the client's environment, which its project's settings may set:
 * what would load other code into the hook is taken out, and where the installation lies is said, so that a variable leads
 * to no other one. The shell itself is the client's: nothing here helps against a client that is not itself any more.
 */
import { dirname } from 'node:path';
import type { Home } from '../home/index.ts';

const ENV = '/usr/bin/env';
/** `XDG_CACHE_HOME`, `NODE_COMPILE_CACHE`: compiled code is run as it is found there. */
const TAKEN_OUT = [
  ...['NODE_OPTIONS', 'NODE_PATH', 'NODE_COMPILE_CACHE', 'XDG_CACHE_HOME', 'OPENSSL_CONF'],
  ...['LD_PRELOAD', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES'],
];

export function hookCommand(
  hone: readonly string[],
  { stateDir }: Pick<Home, 'stateDir'>,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const command = hone.map(quoted).join(' ');
  if (process.platform === 'win32') return command;
  const { HOME: home = '', LD_LIBRARY_PATH: libraries = '' } = environment;
  // Where Node itself needs it, it stays.
  const out = libraries === '' ? [...TAKEN_OUT, 'LD_LIBRARY_PATH'] : TAKEN_OUT;
  const state = dirname(dirname(stateDir));
  const set = [...(home === '' ? [] : [`HOME=${home}`]), `XDG_STATE_HOME=${state}`];
  return [ENV, ...out.map((name) => `-u ${name}`), ...set.map(quoted), command].join(' ');
}

/** For a shell. */
const quoted = (word: string) =>
  /^[\w./=@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
