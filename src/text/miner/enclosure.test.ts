/** Templates that differ only between quotation marks or brackets are one; what is said there stays apart. */
import { describe, expect, test } from 'vitest';
import { joinByEnclosure } from './enclosure.ts';
import { Miner } from './miner.ts';

function mined(lines: readonly string[]) {
  const miner = new Miner();
  for (const line of lines) miner.add(line);
  return miner.templates().map(({ text, count }) => ({ text, count }));
}

describe('one template', () => {
  test.each([
    [
      'two names',
      ['must be a member of role "nils"', 'must be a member of role "udo"'],
      'must be a member of role "<*>"',
    ],
    [
      'a list, a name and two words',
      [
        'cannot change the owner of sequence "elm,coral,umber"',
        'cannot change the owner of sequence "heron"',
        'cannot change the owner of sequence "my heron"',
      ],
      'cannot change the owner of sequence "<*>"',
    ],
    [
      'commands',
      [
        "unexpected type returned by command '/usr/bin/a --olive=1 --linen=2'",
        "unexpected type returned by command '/usr/bin/b --x=1'",
      ],
      "unexpected type returned by command '<*>'",
    ],
    [
      'several places at once',
      [
        'Registering class [thornSage] for layer [delta.river] and context [dune]',
        'Registering class [willow] for layer [iris,vale] and context [koala]',
      ],
      'Registering class [<*>] for layer [<*>] and context [<*>]',
    ],
  ])('%s', (_, lines, text) => {
    expect(mined(lines)).toEqual([{ text, count: lines.length }]);
  });
});

describe('templates of their own', () => {
  test.each([
    ['too little around', ['rule "a,b" applied', 'rule "c" applied']],
    [
      'a text between the marks',
      [
        'the remote side of it said "could not open the file"',
        'the remote side of it said "no route to this host"',
      ],
    ],
    [
      'a word before a value',
      [
        'client sent "GET /a/1 HTTP/1.1" and went away',
        'client sent "PUT /a/1 HTTP/1.1" and went away',
      ],
    ],
    [
      'a key that tells what happened',
      [
        'level=warn component=store msg="short,read" attempts so far 3',
        'level=warn component=store msg="disk" attempts so far 3',
      ],
    ],
    [
      'keys of an object',
      [
        'the tool gave {"left": 1, "right": 2} as result',
        'the tool gave {"left": 1, "wrong": 2} as result',
      ],
    ],
    ['parentheses', ['provided map of memory 1 (usable)', 'provided map of memory 1 (reserved)']],
  ])('%s', (_, lines) => {
    expect(mined(lines)).toHaveLength(2);
  });
});

test('ids resolve to the joined template, in any order, after a merge and a restart', () => {
  const lines = [
    'cannot change the owner of sequence "heron"',
    'cannot change the owner of sequence "elm,coral"',
  ] as const;
  const [left, right] = [new Miner(), new Miner()];
  const ids = [left.add(lines[0]).templateId, right.add(lines[1]).templateId];
  left.merge(right);
  const again = Miner.load(structuredClone(left.save()));
  for (const miner of [left, again])
    expect(new Set(ids.map((id) => miner.currentId(id))).size).toBe(1);
  expect(again.template(ids[1]!)).toMatchObject({ count: 2 });
});

test('what varies inside stays as it is where nearly all have it so', () => {
  const template = (text: string, count: number) => ({
    id: text,
    text,
    count,
    learnt: new Set<number>(),
  });
  const usual = 'parsing of line [<*>:<*>] has failed';
  const text = (odd: number) =>
    joinByEnclosure([template(usual, 20), template('parsing of line [a.conf] has failed', odd)])[0]!
      .text;
  expect([text(1), text(20)]).toEqual([usual, 'parsing of line [<*>] has failed']);
});
