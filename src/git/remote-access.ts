/**
 * The conditions for git on the network (ADR 029). It works from the workbench, so nothing of the target's
 * configuration counts: no `insteadOf`, proxy, ssh command, credential helper or hook. What proves who we are comes
 * from the accepted configuration or from the files of the user that Hone runs as; nothing asks a person.
 */
import { homedir } from 'node:os';
import type { Workbench } from './hermetic.ts';
import { settings } from './hermetic.ts';
import type { RemoteAddress } from './remote-address.ts';

/** From the accepted configuration; an empty text means: not given. */
export interface RemoteCredentials {
  /** The private key of a deploy key. */
  readonly sshKey: string;
  /** Host keys that are known; those of the user if it is not given. */
  readonly sshKnownHosts: string;
  /** As git's `credential.helper` takes it. */
  readonly credentialHelper: string;
}

/** With what is given for one command alone. */
export interface RemoteAccess extends RemoteCredentials {
  readonly password?: string;
}

/** Gives git the password of its environment: a process of the same user could read it there, but not in its arguments. */
const PASSWORD_VARIABLE = 'HONE_REMOTE_PASSWORD';
const PASSWORD_HELPER = `!f() { test "$1" = get && printf 'username=x-access-token\\npassword=%s\\n' "$${PASSWORD_VARIABLE}"; }; f`;

const CONNECT_SECONDS = 15;
/** A connection that moves less than this for so long hangs. */
const SLOW_BYTES = 1;
const SLOW_SECONDS = 30;

export function remoteEnvironment(
  bench: Workbench,
  { protocol }: RemoteAddress,
  credentials: RemoteAccess,
): Record<string, string> {
  const { XDG_CONFIG_HOME: _, ...objects } = bench.objects;
  return {
    ...objects,
    // Where ssh, `.netrc` and credential helpers keep what the user gave them. Git's own file there is not read.
    HOME: homedir(),
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_SSH_VARIANT: 'ssh',
    GIT_SSH_COMMAND: sshCommand(credentials),
    ...(credentials.password !== undefined ? { [PASSWORD_VARIABLE]: credentials.password } : {}),
  };
}

/** Put before the command. The empty helper forgets all before it. */
export function remoteSettings({ credentialHelper: configured, password }: RemoteAccess): string[] {
  const credentialHelper = password !== undefined ? PASSWORD_HELPER : configured;
  return [
    ...settings({
      'http.followRedirects': 'false',
      'http.lowSpeedLimit': `${SLOW_BYTES}`,
      'http.lowSpeedTime': `${SLOW_SECONDS}`,
      'credential.helper': '',
      'credential.interactive': 'false',
      'core.askPass': '',
      'push.gpgSign': 'false',
      'push.followTags': 'false',
      'push.recurseSubmodules': 'no',
      'fetch.recurseSubmodules': 'no',
      'maintenance.auto': 'false',
    }),
    ...(credentialHelper === '' ? [] : settings({ 'credential.helper': credentialHelper })),
  ];
}

/** An unknown host is refused, never learnt; nobody is asked for a passphrase. */
function sshCommand({ sshKey, sshKnownHosts }: RemoteCredentials): string {
  const options = [
    'BatchMode=yes',
    'StrictHostKeyChecking=yes',
    `ConnectTimeout=${CONNECT_SECONDS}`,
    `ServerAliveInterval=${CONNECT_SECONDS}`,
    'ServerAliveCountMax=2',
    'ForwardAgent=no',
    'ClearAllForwardings=yes',
    'PermitLocalCommand=no',
    ...(sshKey === '' ? [] : ['IdentitiesOnly=yes']),
    ...(sshKnownHosts === '' ? [] : [`UserKnownHostsFile="${sshKnownHosts}"`]),
  ];
  const words = ['ssh', ...options.flatMap((one) => ['-o', one])];
  if (sshKey !== '') words.push('-i', sshKey);
  // Git gives it to a shell.
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
}
