/** How many different words it takes until a place varies, by where it is and what the words are. */
import { expect, test } from 'vitest';
import { Miner } from './miner.ts';

function templates(frame: string, words: readonly string[]): number {
  const miner = new Miner();
  for (const word of words) miner.add(frame.replace('%', word));
  return miner.templates().length;
}

test.each([
  ['quoted, in a sentence', "no device with the name '%' here", ['left', 'right'], 1],
  ['bracketed, in a sentence', 'cannot read the entry [%] again', ['left', 'right'], 1],
  ['in parentheses', 'cannot read the entry (%) again', ['left', 'right'], 2],
  ['an identifier after a colon', 'Too many levels of links: %', ['onyx.zinc', 'kelpSage'], 1],
  ['words after a colon', 'Too many levels of links: %', ['onyx', 'kelp'], 2],
  ['names of failures', 'the worker of it threw %', ['TypeError', 'RangeError', 'UriError'], 3],
  ['schemes', 'fetched %://a.example.com/x', ['http', 'https'], 1],
  [
    'commands in capitals',
    'Received % from the client',
    ['PINGREQ', 'SUBSCRIBE', 'PUBLISH', 'CONNECT', 'PUBACK', 'PUBREL'],
    6,
  ],
  ['behind a word for failures', 'the call ended with code %', ['rate.limit', 'a.b', 'c_d'], 3],
  ['quoted behind one', "the build ended with status '%' now", ['done', 'error', 'lost'], 3],
  [
    'quoted codes',
    'the call of it ended with "%" again',
    ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENOENT'],
    5,
  ],
  [
    'details of a failure',
    'the card was declined (%): no money',
    ['lost_card', 'no_funds', 'x_y'],
    3,
  ],
  [
    'names that a quoted text begins with',
    '"% of volume a began" ok',
    ['a.Mount', 'a.Detach', 'a.X'],
    3,
  ],
  [
    'words that a quoted text begins with',
    '"% the volume of it" ok',
    ['Mount', 'Unmount', 'Detach', 'Attach', 'Resize'],
    5,
  ],
  ['in backticks', 'no variable with the name `%` here', ['left', 'right'], 1],
  ['keys of an object', 'the tool gave {"%": 1} as result', ['left', 'right'], 2],
])('%s', (_, frame, words, expected) => {
  expect(templates(frame, words)).toBe(expected);
});
