/** The receiver of `hone up` as a whole: agents send, Hone stores; a port that is taken is no reason not to start. */

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Installation, makeInstallation } from '../../test/cli.ts';
import { silentLog } from '../base/index.ts';
import { makeContext } from '../compose/context.ts';
import { telemetryDoor } from '../compose/otlp-door.ts';
import { processSurroundings } from '../compose/surroundings.ts';
import * as contracts from '../contracts/index.ts';
import { captureIo } from './captured-io.ts';

const configured = (port: number) => `observe:\n  otlp:\n    port: ${port}\n`;

async function contextOf(here: Installation, settings: string) {
  writeFileSync(join(here.repository, 'hone.yaml'), settings);
  await here.stateDir();
  const surroundings = {
    ...processSurroundings(),
    cwd: here.repository,
    environment: here.environment,
    io: captureIo().io,
  };
  return makeContext(false, '0', surroundings);
}

const request = {
  resourceSpans: [
    {
      scopeSpans: [
        {
          spans: [
            {
              traceId: '5b8efff798038103d269b633813fc60c',
              spanId: 'eee19b7ec3c1b174',
              name: 'execute_tool search',
              startTimeUnixNano: `${Date.now()}000000`,
              status: { code: 2, message: 'no answer' },
            },
          ],
        },
      ],
    },
  ],
};

test('OBS-2 what is sent to a running Hone is stored', async () => {
  using here = makeInstallation({ inProcess: true });
  const context = await contextOf(here, configured(0));
  const opened = await context.open();
  const server = await context.startServer(opened, 0);
  try {
    const { url, fault } = server.telemetry;
    expect(fault).toBeUndefined();
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const answer = await fetch(`${url}/v1/traces`, { ...sent, body: JSON.stringify(request) });
    expect([answer.status, await answer.text()]).toEqual([200, '{}']);
    const shown = contracts.sourcesListJson.parse(
      (await here.hone('sources', 'list', '--json')).json(),
    );
    expect(shown.sources).toMatchObject([{ name: 'otlp:anonymous', kind: 'otlp', events: 1 }]);
    const { out } = await here.hone('sources', 'list');
    expect(out).toContain('otlp:anonymous  otlp, sent to "hone up"');
    const status = await here.hone('status', '--json');
    // The port is 0: whoever asks cannot know which one was free.
    expect(contracts.statusJson.parse(status.json()).receiver).toMatchObject({
      state: 'free',
      lastHour: 1,
    });
  } finally {
    await server.stop();
    await opened.close();
  }
});

test('OBS-2 a port that is taken is reported, does not stop Hone, and is tried again', async () => {
  using here = makeInstallation({ inProcess: true });
  const other = createServer((_, response) => response.end('not Hone'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const context = await contextOf(here, configured(port));
  const opened = await context.open();
  try {
    await using open = await context.openLoop(opened);
    const ports = { log: silentLog, isKnown: async () => false };
    await using door = await telemetryDoor({ opened, open }, ports);
    expect(door.url).toBeUndefined();
    expect(door.fault).toContain(`Port ${port} of 127.0.0.1 is taken`);
    const doctor = contracts.doctorJson.parse((await here.hone('doctor', '--json')).json());
    const said = (report: typeof doctor) =>
      report.findings.find(({ check }) => check === 'receiver');
    expect(said(doctor)).toMatchObject({
      state: 'warning',
      text: expect.stringContaining('Another program'),
    });
    const receiverRow = async () => (await here.hone('status')).out.match(/^Receiver +(.*)$/m)?.[1];
    expect(await receiverRow()).toContain(`127.0.0.1:${port} BUSY: another program`);
    await new Promise((resolve) => other.close(resolve));
    await door.worker.run(new AbortController().signal);
    expect([door.url, door.fault]).toEqual([`http://127.0.0.1:${port}`, undefined]);
    const healed = contracts.doctorJson.parse((await here.hone('doctor', '--json')).json());
    expect(said(healed)).toMatchObject({
      state: 'ok',
      text: expect.stringContaining('is received at'),
    });
    expect(await receiverRow()).toContain(`127.0.0.1:${port} listening; 0 events in the last`);
  } finally {
    await opened.close();
    other.close();
  }
});
