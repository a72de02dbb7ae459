/** An agent at work, as people see it: a call that waits is allowed by keyboard, a task that asks goes on. */
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from 'vitest';
import { openSmallRepository } from '../../lab/act-three.ts';
import { makeCodingAgent } from '../../lab/coding-agent.ts';
import { expectDone } from '../../lab/installation.ts';
import { DOCUMENTS } from '../../lab/small-repository.ts';
import { openStoryServer } from '../../lab/story-server.ts';
import type { Actor } from '../../src/facts/index.ts';
import { chromiumProblem, launch, openWindow } from './browser.ts';

const START = ['task', 'start', 'Mend it', '--session', 'seen', '--json'];
const PERSON: Actor = { kind: 'human', id: 'operator@example.org', verified: 'local' };
const problem = chromiumProblem();

test.skipIf(problem !== undefined)(
  `a call that waits is allowed once, by keyboard, and a task shows what its gate needs${problem ?? ''}`,
  async () => {
    using place = await openSmallRepository();
    await using agent = await makeCodingAgent(place, 'seen');
    await using server = await openStoryServer(place, PERSON);
    const [browser] = await Promise.all([launch(), server.prepareDashboard()]);
    try {
      const { page, complaints } = await openWindow(browser, await server.address());
      const started = await agent.work(...START);
      const { id } = expectDone(started).json<{ id: string }>();
      for (const [name, text] of Object.values(DOCUMENTS)) {
        const file = place.beside(name, text);
        expectDone(await agent.work('evidence', 'add', id, file, '--kind', 'document'));
        expectDone(await agent.work('task', 'advance', id));
      }
      const waits = await agent.call('files', 'delete_tree', { path: 'dist' });
      expect([waits.passed, waits.ask === undefined]).toEqual([false, false]);
      await page.goto(`${server.url}/queue`);
      const row = page.getByRole('button', { name: /allow a call\? files\/delete_tree/ });
      await row.waitFor();
      expect(await page.locator('.badge').innerText()).toContain('1');
      await row.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('dist').first().waitFor();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.filter(({ impact }) => /serious|critical/.test(impact ?? ''))).toEqual([]);
      const allow = async () => {
        await dialog.getByRole('button', { name: 'Allow it once' }).focus();
        await page.keyboard.press('Enter');
      };
      // The agent may run as the same user, so being at this machine is not enough.
      await allow();
      await dialog.getByRole('alert').getByText('is verified by local only').waitFor();
      await dialog.getByRole('button', { name: 'Enter a token' }).press('Enter');
      await dialog.getByLabel('Secret of a token').fill(place.operatorSecret);
      await page.keyboard.press('Enter');
      await allow();
      await row.waitFor({ state: 'detached' });
      const allowed = await agent.call('files', 'delete_tree', { path: 'dist' });
      const again = await agent.call('files', 'delete_tree', { path: 'dist' });
      expect([allowed.passed, again.passed]).toEqual([true, false]);
      await page.goto(`${server.url}/tasks`);
      await page.getByRole('link', { name: /Mend it/ }).click();
      await page.getByRole('heading', { level: 1, name: 'Mend it' }).waitFor();
      expect(page.url()).toContain(id);
      await page.getByRole('heading', { name: 'What implement still needs' }).waitFor();
      // The refusal is all that the console has to say.
      expect(complaints.filter((one) => !one.includes('409'))).toEqual([]);
    } finally {
      await browser.close();
    }
  },
);
