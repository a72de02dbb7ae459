import { expect, test } from 'vitest';
import { sanitise } from './sanitise.ts';

const RULES = { allowedDomains: ['github.com'], allowedPaths: [], redactUuids: true };

/** What finders begin with, read ahead from, and look back over. */
const PIECES = [
  'a',
  'token="',
  'pass=\\"',
  'a:b:',
  'Cookie: ',
  'sk-sk_live_',
  '-eyJ-eyJ.',
  '-----BEGIN CERTIFICATE-----\n',
  'https://a/https://',
  'https://github.com/?token=',
  'postgres://u:p',
  'a:b@',
  'bob (at) ',
  'C:\\a\\b',
  '1 23 (045) ',
  '--password -p mysql ',
  '%2541',
  '&#97;\\u0061',
  '\uff50\uff57',
  'p\u0430',
  'the password for ',
  'user,password\n',
  'cGFzc3dvcmQ9aHVudGVyMiA=',
  "' + '",
  '70 61 ',
  'seed word ',
  '10:20::',
  'Aa1/',
];

test.each(PIECES)('four times as much of %j takes about four times as long', (piece) => {
  const time = (length: number) => {
    const text = piece.repeat(Math.ceil(length / piece.length));
    let best = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 3; attempt++) {
      const start = process.cpuUsage().user;
      try {
        sanitise(text, RULES);
      } catch {
        // Refused: it did not come to rest.
      }
      best = Math.min(best, (process.cpuUsage().user - start) / 1000);
    }
    return best;
  };
  time(16 * 1024);
  // What reads the rest again from every place takes sixteen times as long.
  expect(time(256 * 1024)).toBeLessThan(9 * Math.max(time(64 * 1024), 20));
});
