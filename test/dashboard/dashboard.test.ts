/** The dashboard in a real Chromium, with the real server behind it and a fleet that has something to show. */
import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectDone } from '../../lab/installation.ts';
import { chromiumProblem, launch, openWindow, type Window } from './browser.ts';
import { openLine } from './cut-line.ts';
import { openWorld, type World } from './world.ts';

const PAGES = [
  ...[
    '/',
    '/queue',
    '/patterns',
    '/traces',
    '/changes',
    '/tasks',
    '/loop',
    '/ledger',
    '/health',
    '/sources',
  ],
  ...['/proposals/:proposal', '/patterns/:pattern', '/traces/:trace', '/loop/:cycle'],
];

const problem = chromiumProblem();

describe.skipIf(problem !== undefined)(`the dashboard${problem ? `: ${problem}` : ''}`, () => {
  let world: World;
  let browser: Browser;
  let ids: Record<string, string>;

  beforeAll(async () => {
    [world, browser] = await Promise.all([openWorld(), launch()]);
    const first = async (what: string, command = what) => {
      const answer = await world.lab.hone(command, 'list', '--json');
      return answer.json<Record<string, { id: string }[]>>()[what]![0]!.id;
    };
    const cycle = await world.lab.hone('patterns', 'show', await first('patterns'), '--json');
    ids = {
      ':proposal': await first('proposals'),
      ':pattern': await first('patterns'),
      ':trace': await first('traces'),
      ':cycle': cycle.json<{ cycle: string }>().cycle,
    };
  });
  afterAll(async () => {
    await browser?.close();
    await world?.[Symbol.asyncDispose]();
  });

  const at = (path: string) => path.replace(/:\w+/, (name) => encodeURIComponent(ids[name]!));
  /** By its deep link. */
  const see = async (page: Page, path: string) => {
    await page.goto(`${world.url}${at(path)}`);
    await shown(page);
  };
  /** As a click on a link of the page does, without loading all of it again. */
  const turnTo = async (page: Page, path: string) => {
    await page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(at(path))}); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await shown(page);
  };

  describe('everybody can use it, and it complains of nothing', () => {
    let window: Window;
    beforeAll(async () => {
      window = await openWindow(browser, await world.key());
    });
    afterAll(() => window?.context.close());

    test.each(PAGES)('%s', async (path) => {
      const { page, complaints } = window;
      await see(page, path);
      expect(await grave(new AxeBuilder({ page }))).toEqual([]);
      // The theme changes colours only; the pages with most of them stand for all.
      if (['/', '/proposals/:proposal', '/health'].includes(path)) {
        await page.emulateMedia({ colorScheme: 'dark' });
        const colours = new AxeBuilder({ page }).withRules(['color-contrast']);
        expect(await grave(colours)).toEqual([]);
        await page.emulateMedia({ colorScheme: 'light' });
      }
      expect(complaints).toEqual([]);
    });
  });

  test('on a phone the decision fits its width, and the buttons are in reach', async () => {
    const { page, complaints, context } = await openWindow(browser, await world.key(), {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    });
    await see(page, '/proposals/:proposal');
    expect(await overflow(page)).toBe(0);
    const box = (await page.getByRole('button', { name: 'Approve' }).boundingBox())!;
    expect(box.height).toBeGreaterThanOrEqual(40);
    // Its word is on one line, however many buttons there are.
    expect(box.height).toBeLessThanOrEqual(60);
    expect(box.y + box.height).toBeLessThanOrEqual(844);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('the proof is drawn: the effect with its interval, what flipped, what nobody measured', async () => {
    const { page, complaints, context } = await openWindow(browser, await world.key());
    await see(page, '/proposals/:proposal');
    const proof = page.getByRole('region', { name: 'Proof' });
    const said = (await proof.innerText()).replaceAll('\u202f', '');
    const [, now, all] = /fail now \((\d+) of (\d+) sessions\)/.exec(said)!;
    const [, after] = /fail with it \((\d+) of \d+ sessions\)/.exec(said)!;
    const [, mended, broken] = /(\d+) mended, (\d+) broken/.exec(said)!;
    expect(Number(after)).toBe(Number(now) - Number(mended) + Number(broken));
    expect(said).toMatch(
      /−[\d.]+ points of \d+ sessions, 95 % sure: −[\d.]+ points to −[\d.]+ points/,
    );
    expect(await proof.getByRole('img', { name: `Of ${all} sessions` }).count()).toBe(1);
    expect(said).toContain('Too few of the runs report latency and cost.');
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('names of 10 000 characters in every field break no page', async () => {
    const { page, complaints, context } = await openWindow(browser, await world.key());
    const long = 'x'.repeat(10_000);
    await page.route('**/api/**', async (route) => {
      const url = route.request().url();
      if (/events\?|\/api\/events$|session/.test(url)) return route.continue();
      const response = await route.fetch();
      const text = (await response.text()).replace(
        /"(title|name|agent|tool|what|said|why|detail|rationale|rootCause|session|branch|text)":"[^"]*"/g,
        `"$1":"${long}"`,
      );
      return route.fulfill({ response, body: text });
    });
    for (const path of PAGES) {
      await turnTo(page, path);
      expect([path, await overflow(page)]).toEqual([path, 0]);
    }
    expect(complaints).toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });

  test('a tab that is older than the server says so, and pages that it cannot load or show do not leave it empty', async () => {
    const { page, context } = await openWindow(browser, await world.key());
    await shown(page);
    await page.route('**/assets/patterns-*.js', (route) => route.fulfill({ status: 404 }));
    await page.route('**/api/telemetry/traces?*', (route) =>
      route.fulfill({ json: { another: 'form' } }),
    );
    await page.route('**/api/session', async (route) => {
      // "Not modified" would have no text to change.
      const { 'if-none-match': _, ...headers } = route.request().headers();
      const response = await route.fetch({ headers });
      const json = { ...((await response.json()) as object), version: '9.9.9' };
      return route.fulfill({ response, json });
    });
    await page.getByRole('link', { name: 'Patterns' }).click();
    await page.getByRole('alert').getByText('could not be loaded').waitFor();
    await page.getByRole('link', { name: 'Traces' }).click();
    await page.getByRole('alert').getByText('could not be shown').waitFor();
    // What was entered makes the page ask who it is, and learn of the new version.
    await page.getByRole('button', { name: 'enter a token' }).click();
    await page.getByLabel('Secret of a token').fill(world.operatorSecret);
    await page.keyboard.press('Enter');
    await page.getByText('Hone was updated to 9.9.9').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('status').getByRole('button', { name: 'Reload this page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Traces' }).waitFor();
    await context.close();
  });

  test('a cut line is said; when it is mended, what happened meanwhile is there, and nothing was skipped', async () => {
    await using line = await openLine(world.url);
    const { page, context } = await openWindow(browser, await world.key(line.url));
    const resumedAfter: string[] = [];
    page.on('request', async (request) => {
      if (!request.url().includes('/api/events')) return;
      // One that is still on its way when the window closes has none.
      const headers = await request.allHeaders().catch((): Record<string, string> => ({}));
      const last = headers['last-event-id'];
      if (last !== undefined) resumedAfter.push(last);
    });
    await page.locator('.dot.live').waitFor();
    const stop = async (reason: string) =>
      expectDone(await world.lab.hone('stop-all', '--reason', reason));
    const resume = async () =>
      expectDone(await world.lab.honeAs(world.operatorSecret, 'resume', '--reason', 'seen'));
    await stop('a first time');
    await page.getByText('Everything automatic is stopped: a first time').waitFor();
    await resume();
    await page.getByText('Everything automatic is stopped').waitFor({ state: 'detached' });
    const seen = (await ledgerSize()) - 1;
    await line.cut();
    await page.getByText('The connection to Hone is lost').waitFor();
    await stop('while nobody saw it');
    await line.mend();
    await page.getByText('Everything automatic is stopped: while nobody saw it').waitFor();
    await page.getByText('The connection to Hone is lost').waitFor({ state: 'detached' });
    // The stream goes on behind the last entry that the page had.
    expect(resumedAfter).toContain(String(seen));
    await resume();
    await context.close();
  });

  const ledgerSize = async () => {
    const shownLedger = await world.lab.hone('ledger', 'show', '--json', '--limit', '1');
    return shownLedger.json<{ size: number }>().size;
  };

  test('of two who decide at once one is told by Hone that it is decided, even on a page that did not hear of it', async () => {
    const { page, context } = await openWindow(browser, await world.key());
    let kept: string | undefined;
    // This window goes on showing what it saw first.
    await page.route(`**/api/proposals/${ids[':proposal']}`, async (route) => {
      kept ??= await (await route.fetch()).text();
      return route.fulfill({ body: kept, contentType: 'application/json' });
    });
    await see(page, '/proposals/:proposal');
    await page.keyboard.press('p');
    await page.getByRole('textbox').fill('let us wait');
    const pause = ['proposals', 'pause', ids[':proposal']!, '--reason', 'faster'];
    expectDone(await world.lab.hone(...pause));
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('dialog').getByRole('alert').getByText('paused').waitFor();
    expectDone(await world.lab.hone('proposals', 'resume', ids[':proposal']!, '--reason', 'go on'));
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });

  test('whoever edits the change sees what the policy says of it, before it is put in place', async () => {
    const { page, complaints, context } = await openWindow(browser, await world.key());
    await see(page, '/proposals/:proposal');
    await page.keyboard.press('m');
    const [editor, policy] = [page.locator('textarea.edit'), page.getByLabel('Policy')];
    await policy.getByText('finds nothing in this file').waitFor();
    const diff = await editor.inputValue();
    await editor.fill(diff.replace('timeout_ms: 1500', 'timeout_ms: 15\u202e00'));
    await policy.getByText('hidden characters').waitFor();
    await editor.fill('not a diff at all');
    await policy.locator('.bad').getByText('diff').first().waitFor();
    await editor.fill(diff.replace('timeout_ms: 1500', 'timeout_ms: 1400'));
    await policy.getByText('finds nothing in this file').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('characters that cannot be seen are shown in the change', async () => {
    const { page, context } = await openWindow(browser, await world.key());
    await page.route(`**/api/proposals/${ids[':proposal']}`, async (route) => {
      const response = await route.fetch();
      const shown = (await response.json()) as { diff: string };
      const diff = shown.diff.replace(
        'timeout_ms: 1500',
        'timeout_ms: 15\u200b00 \u202ep\u0430ypal',
      );
      return route.fulfill({ response, json: { ...shown, diff } });
    });
    await see(page, '/proposals/:proposal');
    const marks = await page.locator('.diff mark').allTextContents();
    expect(marks).toEqual(['U+200B', 'U+202E', '\u0430‹U+0430›']);
    await page.keyboard.press('s');
    expect(await page.locator('.diff .half').count()).toBeGreaterThan(4);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });

  test('the ledger is verified in the browser, and an entry that was altered on its way is found out', async () => {
    const { page, context } = await openWindow(browser, await world.key());
    await see(page, '/ledger');
    await byHone(page).click();
    await page.getByText('Verified in this browser').waitFor();
    await page.route('**/api/ledger/entries*', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('"id":"hone"', '"id":"home"');
      return route.fulfill({ response, body });
    });
    await see(page, '/ledger');
    await byHone(page).click();
    await page.getByText('NOT VERIFIED').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });

  test('the story in two windows: decided by keyboard in one, seen live in the other, where the later decision is no longer asked for', async () => {
    const one = await openWindow(browser, await world.key());
    const other = await openWindow(browser, await world.key());
    await see(one.page, '/queue');
    await see(other.page, '/proposals/:proposal');
    await other.page.keyboard.press('r');
    await other.page.getByRole('textbox').fill('not today');
    // Keyboard only: open the first of the queue, read, approve.
    await one.page.locator('.row.here').waitFor();
    await one.page.keyboard.press('Enter');
    await one.page.waitForURL(`**/proposals/${ids[':proposal']}`);
    await one.page.getByRole('button', { name: 'Approve' }).waitFor();
    await one.page.keyboard.press('a');
    await one.page.getByRole('dialog').waitFor();
    await one.page.keyboard.type('small and proven');
    await one.page.keyboard.press('Tab');
    await one.page.keyboard.press('Enter');
    await one.page.getByRole('heading', { name: 'Recorded', exact: true }).waitFor();
    await one.page.keyboard.press('Enter');
    // Nobody reloads the other window, and its question is over.
    await other.page.getByRole('alert').getByText('no longer asked for').waitFor();
    const late = other.page.getByRole('dialog').getByRole('button', { name: 'Reject' });
    expect(await late.isDisabled()).toBe(true);
    await one.page.locator('.head .tag', { hasText: 'monitoring' }).waitFor();
    await see(one.page, '/changes');
    await one.page.getByText('watched closely').waitFor();
    expect(one.complaints).toEqual([]);
    await Promise.all([one.context.close(), other.context.close()]);
  });

  test('a token that is entered gives its name; the secret is not in the page', async () => {
    const { page, complaints, context } = await openWindow(browser, await world.key());
    await see(page, '/');
    await page.getByRole('button', { name: 'enter a token' }).click();
    await page.getByLabel('Secret of a token').fill(world.operatorSecret);
    await page.keyboard.press('Enter');
    await page.getByText('token, operator').waitFor();
    expect(await page.content()).not.toContain(world.operatorSecret);
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('a lost connection is said, and a server that began anew asks to be opened again', async () => {
    const { page, context } = await openWindow(browser, await world.key());
    await see(page, '/');
    await page.getByText('live', { exact: false }).first().waitFor();
    await world.stopServer();
    await page.getByText('The connection to Hone is lost').waitFor();
    await world.startServer();
    await page.getByText('hone open').waitFor();
    await page.goto(await world.key());
    await page.getByRole('heading', { level: 1, name: 'Is the fleet getting better?' }).waitFor();
    await context.close();
  });
});

/** Its heading stands, and nothing is waited for. */
async function shown(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.wait').first().waitFor({ state: 'detached' });
}

/** What keeps somebody from using the page. Legacy: no second page for the frames that ours do not have. */
async function grave(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** The newest entry that Hone made by itself, also under the name that it has once it is altered. */
const byHone = (page: Page) =>
  page
    .locator('li', { has: page.locator('.tag', { hasText: /^(?:hone|home)$/ }) })
    .first()
    .locator('button[aria-expanded]');

/** How far a page is wider than its window. */
const overflow = (page: Page) =>
  page.evaluate<number>('Math.max(0, document.documentElement.scrollWidth - innerWidth)');
