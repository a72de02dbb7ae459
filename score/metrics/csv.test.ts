import { expect, it } from 'vitest';
import { parseCsv } from './csv.ts';

it.each([
  [
    'plain rows',
    'a,b\n1,2\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'no last line break, and CRLF',
    'a,b\r\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'quotes with commas, quotes and line breaks',
    '"a,b","say ""x""","1\n2"\n',
    [['a,b', 'say "x"', '1\n2']],
  ],
  ['empty fields', 'a,,\n', [['a', '', '']]],
  ['nothing', '', []],
])('%s', (_, text, rows) => {
  expect(parseCsv(text)).toEqual(rows);
});
