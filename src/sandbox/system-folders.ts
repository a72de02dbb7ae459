/** Where this machine has its programs and libraries. Nothing of /etc, /home, /root, /var or /run is among them. */
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import type { SystemFolders } from './arguments.ts';

const FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
const FILES = ['/etc/ld.so.cache', '/etc/alternatives', '/etc/ssl/certs'];

export function systemFolders(): SystemFolders {
  const bound: string[] = [];
  const linked: { path: string; target: string }[] = [];
  for (const path of FOLDERS) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    if (stats.isSymbolicLink()) linked.push({ path, target: readlinkSync(path) });
    else bound.push(path);
  }
  return { bound, linked, files: FILES.filter((path) => existsSync(path)) };
}
