/** What an agent is told when its call does not pass: why, and what would help. */

import type { Json } from '../base/index.ts';
import type { Verdict } from '../gateway/at-start.ts';

export function refusalText({ reasons, ask }: Verdict): string {
  const why = reasons
    .filter(({ level }) => level >= 2)
    .map(({ text }) => text)
    .join(' ');
  if (ask === undefined) return `Refused by Hone: ${why}`;
  return `Hone asks a person first: ${why} The question is ${ask.id}. Once they have said yes ("hone asks show ${ask.id}"), make the same call with the same arguments again; it then passes once.`;
}

/** The same for programs. */
export function refusalData({ level, reasons, ask }: Verdict): Json {
  return {
    level,
    codes: [...new Set(reasons.filter((one) => one.level >= 2).map(({ code }) => code))],
    ...(ask === undefined ? {} : { askId: ask.id, callDigest: ask.callDigest }),
  };
}
