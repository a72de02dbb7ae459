/** The whole story, live in two windows: what fails, the fix that is asked for, decided by keyboard, watched and kept. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { FleetRun } from '../../lab/fleet-run.ts';
import { expectDone, openLab } from '../../lab/installation.ts';
import { bundledScenario } from '../../lab/scenario-files.ts';
import { openStoryServer } from '../../lab/story-server.ts';
import type { Actor } from '../../src/facts/index.ts';
import { chromiumProblem, launch, openWindow } from './browser.ts';

const HOUR_MS = 3_600_000;
const PERSON: Actor = { kind: 'human', id: 'operator@example.org', verified: 'local' };
const problem = chromiumProblem();

test.skipIf(problem !== undefined)(
  `a failure is found, fixed and watched while two people look on${problem ?? ''}`,
  async () => {
    const scenario = bundledScenario('timeout-too-low');
    await using lab = await openLab({ scenario, seed: 1, removeAtExit: true });
    await using run = new FleetRun({ lab, scenario, seed: 1 });
    await using server = await openStoryServer(lab, PERSON);
    const [browser] = await Promise.all([launch(), server.prepareDashboard()]);
    try {
      const decider = await openWindow(browser, await server.address());
      const onlooker = await openWindow(browser, await server.address());
      const startMs = lab.clock.nowMs();
      await onlooker.page.getByText('No telemetry yet').waitFor();
      await turnTo(decider.page, 'Queue');
      run.isUp = false;
      await run.until(startMs + 26 * HOUR_MS);
      expectDone(await lab.hone('cycle'));
      // Nobody reloads: the failure and the question appear by themselves.
      await onlooker.page.locator('.chart .failed').waitFor();
      await onlooker.page.getByLabel('What waits for you').getByText('Raise timeout_ms').waitFor();
      await decider.page.locator('.row.here').waitFor();
      await decider.page.keyboard.press('Enter');
      await decider.page.getByRole('button', { name: 'Approve' }).waitFor();
      await decider.page.keyboard.press('a');
      await decider.page.getByRole('dialog').waitFor();
      await decider.page.keyboard.type('small and proven');
      await decider.page.keyboard.press('Tab');
      await decider.page.keyboard.press('Enter');
      await decider.page.getByRole('heading', { name: 'Recorded', exact: true }).waitFor();
      await decider.page.keyboard.press('Enter');
      run.isUp = true;
      await run.work();
      await decider.page.locator('.head .tag', { hasText: 'monitoring' }).waitFor();
      await onlooker.page
        .getByLabel('What Hone did by itself')
        .getByText('deployed a change')
        .waitFor();
      await run.until(lab.clock.nowMs() + 25 * HOUR_MS);
      await decider.page.locator('.head .tag', { hasText: 'implemented' }).waitFor();
      await onlooker.page.getByText('Better', { exact: true }).waitFor();
      await onlooker.page.locator('.chart circle.deployed').waitFor();
      await turnTo(onlooker.page, 'Changes');
      await onlooker.page.getByText('Raise timeout_ms').first().waitFor();
      expect([...decider.complaints, ...onlooker.complaints]).toEqual([]);
    } finally {
      await browser.close();
    }
  },
);

const turnTo = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name }).click();
