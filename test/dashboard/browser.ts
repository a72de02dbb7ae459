/** One real Chromium for all. Where there is none, its tests are skipped, loudly; under CI that is a failure. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function chromiumPath(): string | undefined {
  const given = process.env['CHROME_PATH'];
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const places =
    given === undefined
      ? NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
      : [given];
  return places.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Why there can be no tests with a browser; undefined where there can. */
export function chromiumProblem(): string | undefined {
  if (chromiumPath() !== undefined) return undefined;
  const why = 'Chromium is not installed: run "npm run setup", or set CHROME_PATH.';
  if (process.env['CI'] === 'true') throw new Error(why);
  return why;
}

export function launch(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined)
    throw new Error('There is no Chromium: "npm run setup" installs it.');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
    ],
  });
}

/** What a page complained about: errors on its console, faults of its scripts, requests to elsewhere. */
export interface Window {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
}

export async function openWindow(
  browser: Browser,
  url: string,
  options: NonNullable<Parameters<Browser['newContext']>[0]> = {},
): Promise<Window> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(url).origin)) complaints.push(`asked ${request.url()}`);
  });
  await page.goto(url);
  return { context, page, complaints };
}
