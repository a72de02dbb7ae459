/** A server without data: every page says that there is nothing, and what to do next. */
import { expect, test } from 'vitest';
import { chromiumProblem, launch, openWindow } from './browser.ts';
import { openWorld } from './world.ts';

const problem = chromiumProblem();

const SAID = {
  Home: 'No telemetry yet',
  Queue: 'Nothing waits',
  Patterns: 'Nothing recurs',
  Traces: 'No traces in this time',
  Changes: 'Nothing was deployed',
  Tasks: 'No agent works under Hone yet',
  Loop: 'Look now',
  Ledger: 'entries',
  Health: 'No proposals yet',
  Sources: 'fleet',
} as const;

test.skipIf(problem !== undefined)(
  `pages without data say what to do next${problem ?? ''}`,
  async () => {
    const [world, browser] = await Promise.all([openWorld({ empty: true }), launch()]);
    try {
      const { page, complaints } = await openWindow(browser, await world.key());
      for (const [name, words] of Object.entries(SAID)) {
        await page.getByRole('navigation').getByRole('link', { name }).click();
        await page.getByRole('main').getByText(words).first().waitFor();
      }
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      await world[Symbol.asyncDispose]();
    }
  },
);
