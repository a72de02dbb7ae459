/** The processes below one, and the memory they use together. Only where `/proc` tells. */
import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory of the process and of all that came from it, in bytes; what they share counts for each. */
export function memoryBelow(pid: number): number {
  return descendants(pid).reduce((sum, one) => sum + residentOf(one), 0);
}

function descendants(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(name);
    if (parent === undefined) continue;
    const known = children.get(parent);
    if (known === undefined) children.set(parent, [Number(name)]);
    else known.push(Number(name));
  }
  const found = [root];
  for (let at = 0; at < found.length; at++) found.push(...(children.get(found[at]!) ?? []));
  return found;
}

/** One that ended and was not collected by its parent yet is not alive. */
export function isAlive(pid: number): boolean {
  const state = statOf(String(pid))?.[0];
  return state !== undefined && state !== 'Z' && state !== 'X';
}

function parentOf(pid: string): number | undefined {
  const parent = statOf(pid)?.[1];
  return parent === undefined ? undefined : Number(parent);
}

/** Behind the name, which may hold anything, brackets too: its state, its parent … */
function statOf(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function residentOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [, rss = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
    return Number(rss) * 1024;
  } catch {
    return 0;
  }
}
