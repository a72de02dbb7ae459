import { expect, test } from 'vitest';
import { mentions, wordsOfFile } from './references.ts';

const says = (text: string, file = 'conf/rows.json') =>
  mentions('bots/clerk.yaml', file, new Map([['bots/clerk.yaml', wordsOfFile(text)]]));

test.each([
  'plan: rows.json',
  'plan: "conf/rows"',
  '{ "plan": "rows" }',
  "import rows from './rows.json';",
  'from conf import rows',
  'plan = load(rows)',
  'size == rows',
  'conf::rows::load()',
  // As a key and as a name.
  'rows: 48\nplan: rows\n',
])('a file is mentioned by its name: %s', (text) => expect(says(text)).toBe(true));

test.each(['rows: 48', '"rows": 48', 'rows = 48', "'rows' : 48", 'narrows', 'plan: columns.json'])(
  'a key that is called like a file does not mention it: %s',
  (text) => expect(says(text)).toBe(false),
);
