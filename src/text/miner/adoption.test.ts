/** Odd members of established templates: taken in where all fixed words are in place, and nowhere else. */
import { describe, expect, test } from 'vitest';
import { adoptions } from './adoption.ts';
import { Miner } from './miner.ts';

/** So many connections of different hosts, and the odd ones. */
function mined(odd: readonly string[], plain = 40) {
  const miner = new Miner();
  const usual = Array.from(
    { length: plain },
    (_, at) => `open through proxy p${at}.example.com:5070 close after ${at} bytes`,
  );
  const first = miner.add(usual[0]!).templateId;
  for (const line of usual.slice(1)) miner.add(line);
  const ids = odd.map((line) => miner.add(line).templateId);
  return { miner, first, ids };
}

describe('an odd member of an established template', () => {
  test.each([
    'open through proxy [fe80::1%eth0]:5070 close after 3 bytes',
    'open through proxy cache-7 close after 12 bytes',
    'open through proxy http://a.example.com/x?y=1&z=(2) close after 3 bytes',
    'open through proxy <unknown> close after 3 bytes',
    'open through proxy CORP\\gate close after 3 bytes',
  ])('%s', (line) => {
    const { miner, first, ids } = mined([line]);
    expect(miner.currentId(ids[0]!)).toBe(miner.currentId(first));
    expect(miner.template(ids[0]!)).toMatchObject({ count: 41 });
    expect(miner.templates()).toHaveLength(1);
  });

  test.each([
    ['a fixed word that differs', 'open through proxy [x]:5070 reset after 3 bytes'],
    ['one word more', 'open through proxy [x]:5070 close right after 3 bytes'],
    ['nothing in its place', 'open through proxy  close after 3 bytes'],
  ])('another message stays apart: %s', (_, line) => {
    const { miner, first, ids } = mined([line]);
    expect(miner.currentId(ids[0]!)).not.toBe(miner.currentId(first));
    expect(miner.template(first)!.count).toBe(40);
  });
});

/** So many reports by names of people about names of nodes, and the odd ones. */
function reported(odd: readonly string[]) {
  const miner = new Miner();
  const people = ['anna', 'bert', 'carla', 'hugo'];
  const nodes = ['river', 'maple', 'cedar', 'onyx', 'pine'];
  const usual = people.flatMap((who) =>
    nodes.map((node) => miner.add(`Node ${who} reported node ${node} as not reachable.`)),
  );
  const first = usual[0]!.templateId;
  for (let n = 0; n < 20; n++) miner.add(`Task ${n} was slow and not expected to end`);
  const ids = odd.map((line) => miner.add(line).templateId);
  return { miner, first, ids };
}

describe('where words are known to stand', () => {
  test.each([
    'Node bert reported node river() as not reachable.',
    'Node bert reported node thorn[4] as not reachable.',
    'Node carla reported node "maple" as not reachable.',
    'Node hugo reported node nova onyx as not reachable.',
    'Node slow reported node thorn[4] as not reachable.',
  ])('a word is a value beside an odd one: %s', (line) => {
    const { miner, first, ids } = reported([line]);
    expect(miner.currentId(ids[0]!)).toBe(miner.currentId(first));
  });

  test.each([
    [
      'words that the program says elsewhere',
      'Node hugo reported node slow maple as not reachable.',
    ],
    ['a word before a value', 'Node hugo reported node number 17 as not reachable.'],
    ['a participle', 'Node hugo reported node unexpected maple as not reachable.'],
  ])('no value: %s', (_, line) => {
    const { miner, first, ids } = reported([line]);
    expect(miner.currentId(ids[0]!)).not.toBe(miner.currentId(first));
  });
});

test('many places that vary cost no more than their number', () => {
  const places = Array(180).fill('<*>').join(' ');
  const template = (text: string, count: number) => ({ id: text, text, count });
  const often = template(`copied files ${places} end`, 100);
  const odd = template(`copied files ${Array(184).fill('[x]').join(' ')} stop`, 1);
  expect(adoptions([often, odd]).size).toBe(0);
  expect(adoptions([often, template(odd.text.replace('stop', 'end'), 1)]).size).toBe(1);
});

test('neither order nor place matters: whoever comes first, and after a restart', () => {
  const odd = 'open through proxy [fe80::1%eth0]:5070 close after 3 bytes';
  const { miner: last, first } = mined([odd]);
  const early = new Miner();
  const { templateId } = early.add(odd);
  early.merge(mined([]).miner);
  const again = Miner.load(structuredClone(early.save()));
  for (const one of [last, early, again]) {
    expect(one.templates()).toHaveLength(1);
    expect(one.currentId(first)).toBe(last.currentId(first));
  }
  expect(again.template(templateId)!.count).toBe(41);
});

test('only what is often enough, and much more often, takes others in', () => {
  const template = (text: string, count: number) => ({ id: text, text, count });
  const odd = 'request to [a] done';
  const taken = (often: number, rare: number) =>
    adoptions([template('request to <*>:<*> done', often), template(odd, rare)]).size;
  expect([taken(3, 1), taken(4, 1), taken(16, 4), taken(16, 5), taken(800, 200)]).toEqual([
    0, 1, 1, 0, 1,
  ]);
  // A plain word says what happened; fixed text around a value stays; too few fixed words are chance.
  const often = template('request to <*>:<*>, done', 500);
  expect(adoptions([often, template('request to failed, done', 1)]).size).toBe(0);
  expect(adoptions([often, template('request to [a] done', 1)]).size).toBe(0);
  expect(adoptions([often, template('request to [a], done', 1)]).size).toBe(1);
  expect(adoptions([template('<*>:<*> of <*>', 500), template('[a] of b', 1)]).size).toBe(0);
});

test('the most particular template that fits takes it in, and no one that was taken in itself', () => {
  const found = adoptions([
    { id: 'wide', text: 'job <*> <*>:<*> finished with state', count: 1000 },
    { id: 'near', text: 'job backup <*>:<*> finished with state', count: 300 },
    { id: 'odd', text: 'job backup [x] finished with state', count: 2 },
    { id: 'odder', text: 'job [y] [x] finished with state', count: 2 },
  ]);
  expect([...found]).toEqual([
    ['odd', 'near'],
    ['odder', 'wide'],
  ]);
});

test('a value of several words and an address of another kind are taken in, the next key is not', () => {
  const often = {
    id: 'often',
    text: 'cannot open "<*>", server: <*>, from hdfs://<*>',
    count: 500,
  };
  const taken = (text: string) => adoptions([often, { id: 'odd', text, count: 3 }]).size;
  expect(taken('cannot open "<*> (copy).png", server: <*>, from hdfs://<*>')).toBe(1);
  expect(taken('cannot open "<*>", server: localhost, from file:/<*>')).toBe(1);
  expect(taken('cannot open "<*>", server: , from hdfs://<*>')).toBe(1);
  expect(taken('cannot open "<*>", server: <*>, from nowhere')).toBe(0);
  expect(taken('cannot open "<*>", server: <*>, from hdfs://<*> user: <*>')).toBe(0);
});

test('words between brackets and units of scale vary after few messages', () => {
  const miner = new Miner();
  const lines = ['spawning', 'deleting', 'resizing'].flatMap((task, at) => [
    `the instance ${at} has a pending task (${task})`,
    `block ${at} stored with ${at}.5 ${['KB', 'MB', 'GB'][at]} free`,
  ]);
  const ids = lines.map((line) => miner.add(line).templateId);
  expect(new Set(ids.map((id) => miner.currentId(id))).size).toBe(2);
});
