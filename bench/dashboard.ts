/**
 * How soon the dashboard can be used, in a real Chromium with an empty cache: the start page from its address to its
 * chart, what it loads, and a trace of 5 000 spans from its address to its drawn rows, with a jump to its end.
 */
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { launch, openWindow } from '../test/dashboard/browser.ts';
import { openWorld, type World } from '../test/dashboard/world.ts';
import type { Measurement } from '../tools/measure.ts';
import { median } from './parts/timing.ts';

const RUNS = 5;
const SPANS = 5000;

export const measurement: Measurement = {
  what: 'how soon the dashboard can be used',
  aims: { start_page_s: '<=1.5', first_load_js_kb_gzip: '<=250', trace_5000_spans_s: '<=1' },
  async *run({ scale, progress }) {
    const runs = Math.max(1, Math.round(RUNS * scale));
    await using world = await openWorld();
    const browser = await launch();
    try {
      const start: number[] = [];
      const trace: number[] = [];
      let bytes = 0;
      for (let run = 0; run < runs; run++) {
        const first = await startPage(browser, world);
        start.push(first.seconds);
        bytes = first.bytes;
        trace.push(await bigTrace(browser, world));
        progress(`start page ${start.at(-1)!.toFixed(2)} s, trace ${trace.at(-1)!.toFixed(2)} s`);
      }
      yield { metric: 'start_page_s', value: median(start), unit: 's', n: runs };
      yield { metric: 'first_load_js_kb_gzip', value: bytes / 1000, unit: 'kB' };
      yield { metric: 'trace_5000_spans_s', value: median(trace), unit: 's', n: SPANS };
    } finally {
      await browser.close();
    }
  },
};

/** From the address in the terminal to the chart of the fleet. */
async function startPage(browser: Browser, world: World) {
  const { page, context } = await openWindow(browser, 'about:blank');
  let bytes = 0;
  const reading: Promise<void>[] = [];
  page.on('response', (response) => {
    if (!response.url().endsWith('.js')) return;
    reading.push(
      response.body().then((body) => {
        bytes += gzipSync(body).length;
      }),
    );
  });
  const key = await world.key();
  const startedMs = performance.now();
  await page.goto(key, { waitUntil: 'commit' });
  await page.locator('.chart .failed').waitFor();
  const seconds = (performance.now() - startedMs) / 1000;
  await Promise.all(reading);
  await context.close();
  return { seconds, bytes };
}

/** Spans as the server gives them; what is measured is what the browser does with them. */
async function bigTrace(browser: Browser, world: World): Promise<number> {
  const { page, context } = await openWindow(browser, await world.key());
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.route('**/api/telemetry/traces/big', (route) =>
    route.fulfill({ json: traceOf(SPANS) }),
  );
  const startedMs = performance.now();
  await page.goto(`${world.url}/traces/big`, { waitUntil: 'commit' });
  await page.locator('.span').first().waitFor();
  await toTheEnd(page);
  const seconds = (performance.now() - startedMs) / 1000;
  await context.close();
  return seconds;
}

/** As a person jumps there, by a key. */
async function toTheEnd(page: Page): Promise<void> {
  await page.locator('.water').press('End');
  await page.locator('.span', { hasText: `step ${SPANS - 1} of worker` }).waitFor();
}

function traceOf(count: number) {
  const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 40).toISOString();
  const spans = Array.from({ length: count }, (_, index) => ({
    ...{ id: String(index), at: at(index), source: 'fleet', kind: 'tool_call' },
    ...{ failed: index % 97 === 0, what: `step ${index} of worker-${index % 7}`, said: '' },
    ...{ session: 'big', traceId: 'big', durationMs: 30 + (index % 400) },
    ...{ depth: index % 9, firstError: index === 97, cut: false },
  }));
  const failed = spans.filter((one) => one.failed).length;
  return {
    id: 'big',
    session: 'big',
    firstAt: at(0),
    lastAt: at(count),
    failed,
    spans,
    more: false,
  };
}
