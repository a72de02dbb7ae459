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
    [
      'escaped marks within marks',
      [
        '"pulling failed" err="could not get image \\"busybox\\" for the pod"',
        '"pulling failed" err="could not get image \\"a/b c/d:1\\" for the pod"',
        '"pulling failed" err="could not get image \\"my image\\" for the pod"',
      ],
      '"pulling failed" err="could not get image \\"<*>\\" for the pod"',
    ],
    [
      'lists of any length',
      [
        'the sync loop removes pods=["web"]',
        'the sync loop removes pods=["web","api"]',
        'the sync loop removes pods=["web","api/x 1","store y"]',
      ],
      'the sync loop removes pods=<*>',
    ],
    [
      'a list of keys without marks',
      [
        'upstream is gone, client: 10.0.0.1, server: localhost, request: "GET / HTTP/1.1"',
        'upstream is gone, client: 10.0.0.1, server: *.example.com, request: "GET /a b HTTP/1.1"',
        'upstream is gone, client: 10.0.0.1, server: , request: "PUT /b?x=(1) HTTP/1.1"',
      ],
      'upstream is gone, client: <*>, server: <*>, request: "<*>"',
    ],
    [
      'names of different shapes in a sentence',
      [
        'loaded the metadata of orders-1/web.main in time',
        'loaded the metadata of docker.io/library/python in time',
        'loaded the metadata of module.vpc["west"] in time',
        'loaded the metadata of golang in time',
      ],
      'loaded the metadata of <*> in time',
    ],
    [
      'commands of a query language',
      [
        'slow statement: SELECT * FROM a WHERE b = 1',
        'slow statement: SELECT c, d FROM e',
        'slow statement: UPDATE f SET g = h',
        "slow statement: INSERT INTO i (j) VALUES ('k')",
        'slow statement: DELETE FROM l WHERE m IS NULL',
        'slow statement: COMMIT',
      ],
      'slow statement: <*>',
    ],
    [
      'marks where the value needs them',
      [
        'session of the user begins (locale=en, channel=a)',
        'session of the user begins (locale="en US", channel=b)',
        'session of the user begins (locale=de, channel=c)',
      ],
      'session of the user begins (locale=<*>, channel=<*>)',
    ],
    [
      'patterns in a list of keys',
      [
        'the host is gone, client: 10.0.0.1, server: ~^(www\\.)?shop\\..+$, host: a.b',
        'the host is gone, client: 10.0.0.2, server: _, host: c.d',
        'the host is gone, client: 10.0.0.3, server: *.e.f, host: g.h',
      ],
      'the host is gone, client: <*>, server: <*>, host: <*>',
    ],
    [
      'values of several words in capitals',
      [
        'the step of it ran agent=Senior Data Analyst next=a.b',
        'the step of it ran agent=coder next=c.d',
        'the step of it ran agent=Planner next=e.f',
      ],
      'the step of it ran agent=<*> next=<*>',
    ],
    [
      'objects of any shape behind a key',
      [
        'calling the tool with args={"a": "b", "c": 5}',
        'calling the tool with args={"sql": "select all of the lines from here"}',
        'calling the tool with args={}',
      ],
      'calling the tool with args=<*>',
    ],
    [
      'structures written out',
      ['state of the broker is Set(a-1, b-2)', 'state of the broker is Set(c.d, e.f, g.h -> 5)'],
      'state of the broker is Set(<*>)',
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
    [
      'phrases in quotation marks, where no names are',
      [
        'upstream said "connection refused" for host a-1',
        'upstream said "connection reset" for host a-2',
      ],
    ],
    [
      'the quoted message that a line begins with',
      ['"Pulling" of the image for pod="a/b c"', '"Removing" of the image for pod="a/b d"'],
    ],
    [
      'words in a list of keys',
      [
        'the run ended, client: 10.0.0.1, outcome: timeout, agent: x',
        'the run ended, client: 10.0.0.1, outcome: refused, agent: y',
      ],
    ],
    ['parentheses', ['provided map of memory 1 (usable)', 'provided map of memory 1 (reserved)']],
  ])('%s', (_, lines) => {
    expect(mined(lines)).toHaveLength(2);
  });
});

test.each([
  [
    'objects that say what happened',
    ['overloaded', 'rate_limit', 'not_found', 'billing', 'timeout', 'permission'].map(
      (what, at) => `the call has failed: {"n":[${'1,'.repeat(at)}2],"error":{"type":"${what}"}}`,
    ),
  ],
  [
    'names that a line begins with',
    [
      'executor.Mount started for volume "a b"',
      'executor.Unmount started for volume "c"',
      'executor.Attach started for volume "d[1]"',
      'executor.Detach started for volume "e/f g"',
    ],
  ],
  [
    'names in a list under a telling key',
    ['Disk', 'Memory', 'PID'].map(
      (what) => `pod evicted, node: a-1, reason: ${what}Pressure, on: x`,
    ),
  ],
  [
    'sentences with words in capitals',
    [
      'SSL EOF occurred',
      'TLS CA unknown',
      'DNS NXDOMAIN found',
      'TCP RST seen',
      'DB URL empty',
    ].map((what) => `the query failed: ${what}`),
  ],
  [
    'joined English words',
    ['read-only', 'write-only', 'off-line'].map((what) => `the file system is now ${what} again`),
  ],
  [
    'classes of failures',
    [
      'the run of a/b was aborted, net.Refused: no answer',
      'the run of c["d"] was aborted, net.Reset: no answer',
      'the run of e.f-1 was aborted, io.Closed: no answer',
    ],
  ],
])('%s stay apart', (_, lines) => {
  expect(mined(lines)).toHaveLength(lines.length);
});

const WHAT = ['a file is gone', 'the disk is full', 'no one is there'];

function served(what: string, more = ''): string {
  return `${what}, client: 10.0.0.1, server: a.b, host: "x.y"${more}`;
}

test('fields that several events have at times are optional', () => {
  const lines = WHAT.flatMap((what) => [served(what), served(what, ', referrer: "p q"')]);
  expect(
    mined(lines)
      .map(({ text }) => text)
      .sort(),
  ).toEqual(WHAT.map((what) => `${what}, client: <*>, server: a.b, host: <*>`).sort());
});

test('fields that only two events have at times are said', () => {
  const lines = WHAT.slice(1).flatMap((what) => [served(what), served(what, ', user: "p q"')]);
  expect(mined(lines)).toHaveLength(4);
});

test('fields that tell what happened are never optional', () => {
  const lines = WHAT.flatMap((what) => [served(what), served(what, ', reason: "p"')]);
  expect(mined(lines)).toHaveLength(6);
});

const FRUITS = ['apple', 'pear', 'plum', 'cherry', 'fig', 'lime', 'grape', 'melon'];

function found(times: number, fruits = FRUITS): string[] {
  return fruits.flatMap((one, at) =>
    Array.from(
      { length: times },
      () => `the search for it found: ${'so '.repeat(at)}ripe ${one} (${at})`,
    ),
  );
}

test('what never comes twice behind the same words is content, what comes again is a reason', () => {
  expect(mined(found(1))).toEqual([{ text: 'the search for it found: <*>', count: 8 }]);
  expect(mined(found(3))).toHaveLength(8);
  expect(mined(found(1, FRUITS.slice(1)))).toHaveLength(7);
});

test('rare reasons are no content', () => {
  const reasons =
    'disk full,no route to host,name not known,bad token given,page is not found,' +
    'too many open files,reset by peer,out of memory';
  const failed = (reason: string): string => `the run of it failed: ${reason}`;
  expect(mined(reasons.split(',').map(failed))).toHaveLength(8);
  const faults = FRUITS.map((one, at) => failed(`${'so '.repeat(at)}io.${one}Error (7) of ${one}`));
  expect(mined(faults)).toHaveLength(8);
});

test('as much as possible is kept before such content', () => {
  const lines = ['first', 'second'].flatMap((one) =>
    found(1).map((line) => line.replace('found', `found: ${one} part`)),
  );
  expect(
    mined(lines)
      .map(({ text }) => text)
      .sort(),
  ).toEqual([
    'the search for it found: first part: <*>',
    'the search for it found: second part: <*>',
  ]);
});

test('joining does not depend on the order of messages', () => {
  const lines = [
    'loaded the metadata of orders-1/web.main in time',
    'loaded the metadata of docker.io/library/python in time',
    'loaded the metadata of module.vpc["west"] in time',
    'loaded the metadata of golang in time',
  ];
  const texts = (order: readonly string[]) => mined(order).map(({ text }) => text);
  expect(texts([...lines].reverse())).toEqual(texts(lines));
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
