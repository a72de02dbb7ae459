/** Whether a sandbox can be made here, found out by making one and passing each limit on purpose. */
import { execFile } from 'node:child_process';
import { errorMessage } from '../base/index.ts';
import { runSandboxed, type SandboxPorts } from './run.ts';
import type { Ended, SandboxLimits, SandboxProbe, SandboxRun } from './types.ts';

const MB = 1024 * 1024;
const LIMITS: SandboxLimits = {
  wallMs: 10_000,
  cpuSeconds: 5,
  memoryBytes: 128 * MB,
  processes: 32,
  fileBytes: 4 * MB,
  scratchBytes: 8 * MB,
  outputBytes: 64 * 1024,
  openFiles: 64,
};

interface Trial {
  readonly limit: keyof SandboxLimits | 'isolation';
  readonly script: string;
  readonly limits?: Partial<SandboxLimits>;
  /** What it must say, or how it must end. */
  readonly says?: string;
  readonly ends?: Ended;
}

/** Each passes its limit, and says so only if nothing held it. */
const TRIALS: readonly Trial[] = [
  {
    limit: 'isolation',
    script:
      'for f in /home /root /var /run /sys /etc/passwd; do [ -e $f ] && echo sees $f; done; touch /x 2>/dev/null && echo writes; unshare -U true 2>/dev/null && echo nests; ls /sys/class/net 2>/dev/null; echo done',
    says: 'done',
  },
  { limit: 'wallMs', script: 'sleep 30', limits: { wallMs: 150 }, ends: 'time' },
  {
    limit: 'cpuSeconds',
    script: 'while :; do :; done',
    limits: { cpuSeconds: 1, wallMs: 8000 },
    ends: 'killed',
  },
  {
    limit: 'memoryBytes',
    script: 'x=$(head -c 200000000 /dev/zero | tr "\\0" a); echo "$x" | wc -c; sleep 1',
    limits: { memoryBytes: 48 * MB },
    ends: 'memory',
  },
  {
    limit: 'processes',
    script:
      'n=0; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do (sleep 2 & ) 2>/dev/null || exit 0; n=$i; done; echo forked $n',
    limits: { processes: 8 },
    says: '',
  },
  {
    limit: 'fileBytes',
    script:
      'head -c 2000000 /dev/zero > /tmp/x 2>/dev/null; s=$(wc -c < /tmp/x); [ $s -le 1000000 ] && echo held',
    limits: { fileBytes: 1_000_000 },
    says: 'held',
  },
  {
    limit: 'scratchBytes',
    script:
      'for i in 1 2 3 4; do head -c 1000000 /dev/zero > /tmp/x$i 2>/dev/null || { echo held; exit; }; done; echo full',
    limits: { scratchBytes: 2 * MB },
    says: 'held',
  },
  {
    limit: 'outputBytes',
    script: 'while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done',
    ends: 'output',
  },
  {
    limit: 'openFiles',
    script: 'ulimit -n',
    limits: { openFiles: 24 },
    says: '24',
  },
];

export async function probeSandbox(ports: SandboxPorts): Promise<SandboxProbe> {
  const version = await bwrapVersion();
  if (version === undefined)
    return {
      available: false,
      why: 'There is no bubblewrap (bwrap) here: install it, on Debian and Ubuntu by "apt install bubblewrap".',
    };
  let kept: (SandboxProbe & { available: true })['kept'] | undefined;
  for (const trial of TRIALS) {
    try {
      const result = await runSandboxed(runOf(trial), ports);
      kept = result.kept;
      const said = result.stdout.toString().trim();
      const holds = trial.ends === undefined ? said === trial.says : result.ended === trial.ends;
      if (!holds) return { available: false, why: notHeld(trial) };
    } catch (error) {
      return {
        available: false,
        why: `No sandbox can be made here: ${errorMessage(error)} ${NAMESPACES}`,
      };
    }
  }
  return { available: true, version, kept: kept! };
}

const NAMESPACES =
  'Where user namespaces are forbidden, as in many containers, an administrator has to allow them.';

function notHeld({ limit }: Trial): string {
  return limit === 'isolation'
    ? 'A sandbox here is not closed: what runs in it sees or changes the machine.'
    : `A sandbox here does not keep its limit ${limit}, so nothing that is not trusted may run in it.`;
}

function runOf({ script, limits }: Trial): SandboxRun {
  return {
    argv: ['/bin/sh', '-c', script],
    readOnly: [],
    scratch: [],
    masked: [],
    cwd: '/tmp',
    environment: { PATH: '/usr/bin:/bin' },
    limits: { ...LIMITS, ...limits },
  };
}

function bwrapVersion(): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile('bwrap', ['--version'], (error, stdout) => {
      resolve(error === null ? /[\d.]+/.exec(stdout)?.[0] : undefined);
    });
  });
}
