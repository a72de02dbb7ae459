/**
 * New external hosts: addresses in added lines and in values (where escapes would hide them) that the
 * file did not have before. Compared in the canonical form, so that look-alike signs do not hide one.
 * Every expression has bounded repeats.
 */
import { shownPath } from '../git/index.ts';
import { canonicalForm } from '../text/index.ts';
import { addedLines } from './added-lines.ts';
import type { FileSide, TouchedFile } from './types.ts';

const AUTHORITY =
  /[a-z][a-z0-9+.-]{1,30}:\/{1,3}([^\s/?#"'<>\\`|()[\]]{1,300}|\[[0-9a-f:.]{2,60}\])/g;
const NAME = /(?<![a-z0-9_.-])((?:[a-z0-9-]{1,63}\.){1,8})([a-z]{2,24})(?![a-z0-9_-]|\.[a-z])/g;
const IPV4 = /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g;

/**
 * Endings by which a bare name is taken for a host. Those that are also endings of files or words of
 * code (`py`, `md`, `sh`, `rs`, `so`, `name`, `zip`) are left out: with a scheme they are found anyway.
 */
const TOP_DOMAINS = new Set(
  'ac ad ae ag ai app ar at au be bg biz blog br by ca cc ch chat click cloud club cn co com cr cx cz de dev dk edu ee es eu fi fm fr fun gg gl gov gr hk host hr hu id ie il in info int io ir is it jobs jp ke kr kz la li link live lol lt lu lv ly me mil mn mobi moe mom mx my net network ng ninja nl no nu nz online onion org pe ph pk page pro pt pub pw ro rocks ru sa sbs se sg shop si site sk space store su support systems team tech tel tf th tk to today tools top tr tv tw ua ug uk us uz vip vn website wiki win work works world ws wtf xxx xyz za zone'.split(
    ' ',
  ),
);

/** Hosts that a text names. */
function hostsIn(text: string): Set<string> {
  // Browsers end a label at these signs as they do at a dot.
  const plain = canonicalForm(text).replaceAll(/[\u3002\uff0e\uff61]/g, '.');
  const hosts = new Set<string>();
  for (const [, authority] of plain.matchAll(AUTHORITY)) hosts.add(hostOf(authority!));
  for (const [, labels, ending] of plain.matchAll(NAME))
    if (TOP_DOMAINS.has(ending!)) hosts.add(`${labels}${ending}`);
  for (const [address] of plain.matchAll(IPV4)) hosts.add(address);
  return new Set([...hosts].filter(isExternal));
}

function hostOf(authority: string): string {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return (host.startsWith('[') ? host : host.replace(/:\d{0,5}$/, '')).replace(/[.,;:!]+$/, '');
}

/** Loopback, private addresses and names without a dot stay inside; a number is an address in disguise. */
function isExternal(host: string): boolean {
  if (host === '' || host === 'localhost' || host.endsWith('.localhost')) return false;
  if (/^\[(?:::1|f[cd][0-9a-f:]*)\]$/.test(host)) return false;
  if (/^(?:127|10)(?:\.\d{1,3}){3}$|^192\.168(?:\.\d{1,3}){2}$|^0\.0\.0\.0$/.test(host))
    return false;
  if (/^172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}$/.test(host)) return false;
  return /[.:%]/.test(host) || /^(?:\d+|0x[0-9a-f]+)$/.test(host);
}

export function hostReasons(file: TouchedFile): string[] {
  const known = new Set([
    ...hostsIn(file.before?.text ?? ''),
    ...valuesOf(file.before).flatMap(({ text }) => [...hostsIn(text)]),
  ]);
  const found = new Map<string, number>();
  for (const { number, text } of [...addedLines(file.patch), ...valuesOf(file.after)])
    for (const host of hostsIn(text))
      if (!known.has(host) && !found.has(host)) found.set(host, number);
  return [...found].map(
    ([host, line]) =>
      `${shownPath(file.path)}, line ${line}: the host ${shownPath(host)} was not there before.`,
  );
}

function valuesOf(side: FileSide | undefined): { number: number; text: string }[] {
  const structure = side?.structure;
  if (structure?.ok !== true) return [];
  return [...structure.leaves.values()].map(({ path, value, line }) => ({
    number: line,
    text: `${path.at(-1) ?? ''} ${String(value)}`,
  }));
}
