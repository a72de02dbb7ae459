/**
 * Attack: give a tool or an agent a name that a forge, a CI or a chat obeys, and let Hone carry it into a
 * commit, a title or a ref: close issues, skip the CI, mention people, forge a trailer, plant a link.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agentFile, calls, makeTarget, SETTINGS } from '../../src/cli/target.test-support.ts';
import * as contracts from '../../src/contracts/index.ts';
import { patchMessage, revertMessage } from '../../src/deploy/commit-message.ts';
import { openRepository } from '../../src/git/index.ts';
import { inert, isPlainName, quotedName } from '../../src/text/index.ts';
import { makeCase } from '../../src/vet/vet.test-support.ts';
import { anyCharacter } from '../any-character.ts';

const HOSTILE = [
  '[skip ci] fixes #1',
  'search fixes #1',
  'closes octo/repo#12',
  'resolves GH-7',
  'fixes gh-7',
  'ABC-12 #close #time 2d',
  'see !42 and &7',
  '@everyone',
  'ping @octo/team',
  '***NO_CI***',
  'x\n\nCo-authored-by: Mallory <mallory@evil.test>',
  'x\r\nHone-Proposal: p_other',
  'x\u2028Signed-off-by: a',
  '[click](https://evil.test)',
  '<img src=https://evil.test/x>',
  'https://github.com/octo/repo/issues/1',
  'www.evil.test',
  '`code` *bold*',
  '-rf',
  '--output=/etc/passwd',
  '../../etc/passwd',
  'a\u202egnp.exe',
  'pay\u200bload',
  '\u001b[31mred',
  '<!channel>',
  'deadbeef',
  '',
  'x'.repeat(5000),
];

/** What a forge, a CI or a chat would act on, anywhere in a text. */
const OBEYED = [
  /#\d/,
  /(?<![A-Za-z0-9_-])(?:gh|GH|[A-Z][A-Z0-9]+)-\d+(?![A-Za-z0-9_-])/,
  /![0-9]/,
  /@\w/,
  /\[(?:skip ci|ci skip|no ci|skip actions)\]/i,
  /\*\*\*NO_CI\*\*\*/,
  /:\/\//,
  /\bwww\./i,
  /[<>`](?!\s)/,
  /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u,
];
/** Of a commit's message; the quote's own sign is Hone's. */
function obeyed(message: string): string[] {
  const bare = message.replace(/^> /gm, '').replace(/\nHone-Proposal: .*\nHone-Digest: .*\n$/, '');
  return OBEYED.filter((one) => one.test(bare)).map(String);
}

describe('from telemetry to the branch', () => {
  const TOOL = '[skip ci] fixes #1';
  const AGENT = 'resolves GH-7 @octo';

  test('a hostile name is in no title, path, subject or ref, and in the body it is inert', async () => {
    const file = 'agents/researcher.yaml';
    const yaml = agentFile('researcher', JSON.stringify(TOOL)).replace(
      'name: researcher',
      `name: ${JSON.stringify(AGENT)}`,
    );
    using target = await makeTarget({ [file]: yaml });
    writeFileSync(join(target.repository, 'hone.yaml'), SETTINGS);
    const made = contracts.initJson.parse((await target.hone('init', '--json')).json());
    target.append(calls({ agent: AGENT, tool: TOOL, untilMs: Date.now(), all: 500, failed: 60 }));
    expect((await target.hone('cycle')).exit).toBe(0);
    const list = await target.hone('proposals', 'list', '--json');
    const [proposal] = contracts.proposalsListJson.parse(list.json()).proposals;
    expect(proposal!.title).toMatch(/^Raise timeout_ms of a tool from 800 to \d+$/);
    const approved = await target.honeWith(
      { HONE_TOKEN: made.token!.secret },
      ...['approve', proposal!.id, '--digest', proposal!.digest.slice(7, 23)],
    );
    expect(approved.exit).toBe(0);

    await using repository = await openRepository({ root: target.repository, durable: false });
    const tip = (await repository.resolve('refs/heads/main'))!;
    const { message } = await repository.commitInfo(tip);
    expect(message).toMatch(/^chore\(hone\): Raise timeout_ms of a tool from 800 to \d+\n/);
    // Who it is about is still said.
    expect(message).toContain('"%5Bskip ci%5D fixes %231" by "resolves GH%2D7 %40octo"');
    expect(obeyed(message)).toEqual([]);

    const pages = (await repository.resolve('refs/heads/hone/proposals'))!;
    const files = await repository.listFiles(pages, 'proposals');
    for (const { path } of files) expect(path).toMatch(/^proposals\/[a-z0-9_/-]+\.md$/);
    expect(obeyed((await repository.commitInfo(pages)).message.split('\n')[0]!)).toEqual([]);
    const notices = await target.hone('outbox', 'list', '--json');
    expect(notices.out).not.toContain('fixes #1');
  });
});

describe('messages of commits', () => {
  const messages = (text: string) => {
    const { dossier } = makeCase({ content: { title: text, rationale: text } });
    const call = { reason: text } as Parameters<typeof revertMessage>[2];
    return [patchMessage(dossier), revertMessage(dossier, 'a'.repeat(40), call)];
  };

  test.each(HOSTILE)('%j as title, rationale and reason commands nobody', (text) => {
    for (const message of messages(text)) expect(obeyed(message)).toEqual([]);
  });

  test('whatever is in it, the trailers are Hone’s own two, and the subject is one line', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc
        .array(fc.constantFrom(...HOSTILE, '\n', '\n\n', ' ', ': '), { maxLength: 6 })
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, (one) => {
        for (const message of messages(one.toWellFormed())) {
          expect(obeyed(message)).toEqual([]);
          const paragraphs = message.trimEnd().split(/\n\n+/);
          expect(paragraphs.at(-1)).toMatch(/^Hone-Proposal: \S+\nHone-Digest: \S+$/);
          expect(paragraphs[0]).toMatch(/^(?:chore|revert)\(hone\):[^\n]*$/);
          const trailers = message.split('\n').filter((line) => /^[A-Za-z-]+: /.test(line));
          expect(trailers).toHaveLength(2);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('names', () => {
  test.each(HOSTILE)('%j is not plain, and quoted it is inert', (name) => {
    expect(isPlainName(name)).toBe(false);
    expect(obeyed(quotedName(name))).toEqual([]);
    expect(quotedName(name).length).toBeLessThanOrEqual(70);
  });

  test.each(['web_search', 'search-2', 'WebSearch', 'mcp__files__read', 'gpt-4o', 'a'])(
    '%s is plain and stays as it is',
    (name) => {
      expect(isPlainName(name)).toBe(true);
      expect(quotedName(name)).toBe(name);
      expect(inert(name)).toBe(name);
    },
  );

  test('a quoted name does not end its quotes, and to make it inert again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (name) => {
        const quoted = quotedName(name.toWellFormed());
        if (quoted !== name) expect(quoted).toMatch(/^"[^"]*"$/s);
        expect(inert(inert(name))).toBe(inert(name));
      }),
      { numRuns: 300 },
    );
  });
});
