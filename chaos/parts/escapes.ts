/**
 * Ways out of a sandbox, each a program that tries one. What it must not reach is prepared outside: files with a canary,
 * servers on loopback, a process to be killed, a tree that is bound read-only. A way out succeeded if the program prints the canary,
 * or if something outside changed.
 */

/** What the attempts are told about the outside; the paths exist there. */
export interface Outside {
  /** A folder with `secret` (the canary) in it; another process of the same user. */
  readonly folder: string;
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly socket: string;
  readonly abstractSocket: string;
  readonly victimPid: number;
  readonly parentPid: number;
}

export interface Attempt {
  readonly name: string;
  /** For `/bin/sh`, or for Node where it begins with `//`. */
  readonly script: (outside: Outside) => string;
  /** Harmless also where nothing holds it: these are tried in the control too. */
  readonly isSafe?: boolean;
}

const sh = (name: string, script: Attempt['script'], isSafe = false): Attempt => ({
  name,
  script,
  isSafe,
});
const js = (name: string, script: Attempt['script'], isSafe = false): Attempt => ({
  name,
  script: (outside) => `//\n${script(outside)}`,
  isSafe,
});

/** Where the tree of the target is seen inside. */
export const TREE = '/work/tree';

export const ATTEMPTS: readonly Attempt[] = [
  sh('read a file by its path', ({ folder }) => `cat ${folder}/secret`, true),
  sh(
    'read it through the first process’s root',
    ({ folder }) => `cat /proc/1/root${folder}/secret`,
  ),
  sh('read it through its own root', ({ folder }) => `cat /proc/self/root${folder}/secret`, true),
  sh(
    'read it through the working folder',
    ({ folder }) => `cat ../../../../../../..${folder}/secret`,
    true,
  ),
  sh('read it through another’s descriptors', ({ victimPid }) => `cat /proc/${victimPid}/fd/*`),
  sh(
    'read it through another’s root',
    ({ victimPid, folder }) => `cat /proc/${victimPid}/root${folder}/secret`,
  ),
  sh(
    'read Hone’s environment',
    ({ parentPid }) => `tr '\\0' '\\n' < /proc/${parentPid}/environ`,
    true,
  ),
  sh('read the first process’s environment', () => `tr '\\0' '\\n' < /proc/1/environ`),
  sh('read its own environment', () => 'env', true),
  sh(
    'read inherited descriptors',
    () => 'for f in 3 4 5 6 7 8 9 10; do cat <&$f; done 2>/dev/null',
  ),
  sh('read a masked file', () => `cat ${TREE}/.git/config`, true),
  sh('read it through a link', ({ folder }) => `ln -s ${folder}/secret /tmp/l && cat /tmp/l`, true),
  sh('read it through a hard link', ({ folder }) => `ln ${folder}/secret /tmp/h && cat /tmp/h`),
  sh('write to the tree', () => `echo x > ${TREE}/settings.yaml`),
  sh('write beside the tree’s files', () => `echo x > ${TREE}/new`),
  sh(
    'create what is masked and absent',
    () => `mkdir -p ${TREE}/.husky && echo x > ${TREE}/.husky/pre-commit`,
  ),
  sh(
    'remove what is masked',
    () =>
      `rm -rf ${TREE}/.git/hooks && mkdir ${TREE}/.git/hooks && echo x > ${TREE}/.git/hooks/post-checkout`,
  ),
  sh('remount the tree', () => `mount -o remount,rw ${TREE} && echo x > ${TREE}/settings.yaml`),
  sh('unmount the mask', () => `umount ${TREE}/.git; cat ${TREE}/.git/config`),
  sh(
    'bind over the mask',
    () => `mount --bind /usr ${TREE}/.git; umount -l ${TREE}/.git; cat ${TREE}/.git/config`,
  ),
  sh(
    'a user namespace inside',
    () => `unshare -Ur sh -c 'umount ${TREE}/.git; cat ${TREE}/.git/config'`,
  ),
  sh(
    'a mount namespace inside',
    () => `unshare -m sh -c 'umount ${TREE}/.git; cat ${TREE}/.git/config'`,
  ),
  sh(
    'enter another’s namespaces',
    ({ victimPid, folder }) =>
      `nsenter -t ${victimPid} -a cat ${folder}/secret || nsenter -t 1 -m cat ${folder}/secret`,
  ),
  sh('change the root', ({ folder }) => `chroot /proc/1/root cat ${folder}/secret`),
  sh(
    'make a device',
    () => 'mknod /tmp/d b 254 0 && head -c 100 /tmp/d; mknod /tmp/m c 1 1 && head -c 9 /tmp/m',
  ),
  sh(
    'read the machine’s memory',
    () => 'head -c 100 /dev/mem /dev/kmem /proc/kcore 2>/dev/null | grep -a .',
  ),
  sh(
    'become somebody else',
    ({ folder }) =>
      `su -c 'cat ${folder}/secret' root </dev/null; sudo -n cat ${folder}/secret; setpriv --reuid 0 cat ${folder}/secret`,
  ),
  sh(
    'change the kernel’s settings',
    ({ folder }) =>
      `echo '|/bin/cp ${folder}/secret ${folder}/taken' > /proc/sys/kernel/core_pattern`,
  ),
  sh(
    'a cgroup’s release agent',
    ({ folder }) =>
      `mkdir /tmp/c && mount -t cgroup -o memory x /tmp/c && echo ${folder}/agent > /tmp/c/release_agent`,
  ),
  sh(
    'write to the first process’s memory',
    () => 'echo x > /proc/1/mem; echo x > /proc/1/oom_score_adj',
  ),
  sh('kill another process', ({ victimPid }) => `kill -9 ${victimPid}`),
  sh('kill everything', () => 'kill -9 -1'),
  sh(
    'outlive its end',
    ({ folder }) =>
      `setsid sh -c 'sleep 1; echo x > ${folder}/alive' >/dev/null 2>&1 & setsid nohup sleep 4711 >/dev/null 2>&1 &`,
  ),
  sh('ignore being told to end', () => `trap '' TERM INT HUP; sleep 4712`),
  js(
    'a TCP connection to loopback',
    ({ tcpPort }) =>
      `require('net').connect(${tcpPort}, '127.0.0.1').on('data', (d) => console.log(String(d))).on('error', () => {})`,
    true,
  ),
  js(
    'a UDP packet to loopback',
    ({ udpPort }) =>
      `const s = require('dgram').createSocket('udp4'); s.send('out', ${udpPort}, '127.0.0.1', () => s.close())`,
    true,
  ),
  js(
    'a name server',
    () => `require('dns').resolve('example.org', (e, a) => console.log(e ? '' : 'resolved'))`,
  ),
  js(
    'a socket in a folder',
    ({ socket }) =>
      `require('net').connect(${JSON.stringify(socket)}).on('data', (d) => console.log(String(d))).on('error', () => {})`,
    true,
  ),
  js(
    'a socket without a folder',
    ({ abstractSocket }) =>
      `require('net').connect('\\0${abstractSocket}').on('data', (d) => console.log(String(d))).on('error', () => {})`,
    true,
  ),
  js(
    'type into the terminal',
    () =>
      `const fs = require('fs'); try { fs.writeSync(fs.openSync('/dev/tty', 'r+'), 'x') && console.log('typed') } catch {}`,
  ),
  js(
    'many processes',
    () =>
      `for (let i = 0; i < 500; i++) try { require('child_process').spawn('sleep', ['4713'], { detached: true }).on('error', () => {}) } catch {} setTimeout(() => {}, 5000)`,
  ),
  js('much memory', () => `const all = []; for (;;) all.push(Buffer.alloc(16 << 20, 1))`),
  js(
    'much memory in files',
    () =>
      `const fs = require('fs'); for (let i = 0; ; i++) fs.writeFileSync('/tmp/f' + i, Buffer.alloc(1 << 20, 1))`,
  ),
  js(
    'much output',
    () => `const b = 'x'.repeat(1 << 20); const w = () => process.stdout.write(b, w); w()`,
  ),
];
