/**
 * A list and a detail over HTTP, with 100 000 proposals and 5 000 000 events in the store, against a hono handler that
 * returns the same bytes. Both are asked one after the other over kept connections, by turns. Answers are kept while
 * nothing in the store changes, so each is also measured with a change by another process before every question; the
 * handler is then asked right after such a change too, because waiting for the disk makes whatever comes next slower.
 */

import { globSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { openWorld, type World } from '../test/dashboard/world.ts';
import type { Measurement } from '../tools/measure.ts';
import { median } from './parts/timing.ts';

const PROPOSALS = 100_000;
const EVENTS = 5_000_000;
/** For both questions below what one caller may ask at once. */
const ROUNDS = 120;

export const measurement: Measurement = {
  what: 'a list and a detail over HTTP, with many proposals and events',
  aims: { list_p50_ratio: '<=3', detail_p50_ratio: '<=3' },
  async *run({ scale, progress }) {
    await using world = await openWorld();
    await world.stopServer();
    const proposals = fill(world, 'control.db', Math.round(PROPOSALS * scale));
    const events = fill(world, 'telemetry.db', Math.round(EVENTS * scale));
    progress(`${proposals} proposals, ${events} events`);
    await world.startServer();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { authorization: `Bearer ${world.operatorSecret}` };
    const asked = {
      list: '/api/proposals?limit=20',
      detail: `/api/proposals/${await pending(world)}`,
    };
    using change = changer(world);
    for (const [name, path] of Object.entries(asked)) {
      const ask = async () => (await timed(`${world.url}${path}`, agent, headers)).ms;
      const { text } = await timed(`${world.url}${path}`, agent, headers);
      const floor = await floorServer(text);
      const askFloor = async () => (await timed(floor.url, floor.agent, headers)).ms;
      const times = { kept: [], floor: [], changed: [], floorChanged: [] } as Record<
        string,
        number[]
      >;
      try {
        for (let round = 0; round < ROUNDS; round++) {
          times['kept']!.push(await ask());
          times['floor']!.push(await askFloor());
          change.once();
          times['changed']!.push(await ask());
          change.once();
          times['floorChanged']!.push(await askFloor());
          await ask();
        }
      } finally {
        floor.close();
      }
      for (const [metric, ms, least] of [
        [`${name}_p50_ratio`, median(times['kept']!), median(times['floor']!)],
        [`${name}_changed_ratio`, median(times['changed']!), median(times['floorChanged']!)],
      ] as const) {
        progress(`${metric}: ${ms.toFixed(2)} ms, ${least.toFixed(2)} ms for the bytes alone`);
        yield { metric, value: ms / least, measured: ms, floor: least, unit: 'ms', n: ROUNDS };
      }
    }
    agent.destroy();
  },
};

/** Another process that writes something into the store. */
function changer(world: World) {
  const database = databaseOf(world, 'control.db');
  const write = database.prepare('UPDATE loop_works SET changed_at_ms = changed_at_ms + 1');
  return { once: () => void write.run(), [Symbol.dispose]: () => database.close() };
}

function databaseOf(world: World, file: string): DatabaseSync {
  const [path] = globSync(join(world.lab.folder, 'state/hone/*', file));
  const database = new DatabaseSync(path!);
  database.exec('PRAGMA busy_timeout = 10000');
  return database;
}

/** Copies of the rows that are there, until there are so many; gives how many there are. */
function fill(world: World, file: string, wanted: number): number {
  using database = databaseOf(world, file);
  const table = file === 'control.db' ? 'proposal_proposals' : 'observe_events';
  const count = () => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()!['n']);
  if (table === 'proposal_proposals') {
    database.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${Math.max(1, wanted)})
       INSERT INTO proposal_proposals
       SELECT 'p_00' || printf('%024d', i), 1, 'superseded', digest, title, created_at_ms - i, changed_at_ms - i
       FROM n, (SELECT * FROM proposal_proposals LIMIT 1)`,
    );
    return count();
  }
  const columns = database
    .prepare(`PRAGMA table_info(${table})`)
    .all()
    .map((one) => String(one['name']))
    .filter((name) => name !== 'id')
    .join(', ');
  // Twice as many with each statement; nobody needs them after a power cut.
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000');
  for (let there = count(); there < wanted; there = count())
    database.exec(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${table} LIMIT ${Math.min(there, wanted - there)}`,
    );
  return count();
}

async function pending(world: World): Promise<string> {
  const listed = await world.lab.hone('proposals', 'list', '--state', 'pending', '--json');
  return listed.json<{ proposals: { id: string }[] }>().proposals[0]!.id;
}

async function floorServer(text: string) {
  const app = new Hono();
  app.get('/*', (c) => c.body(text, 200, { 'content-type': 'application/json' }));
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const made = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, () => resolve(made));
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const close = () => {
    agent.destroy();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`, agent, close };
}

function timed(
  url: string,
  agent: Agent,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly ms: number; readonly text: string }> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        if (response.statusCode !== 200)
          return reject(new Error(`${url}: ${response.statusCode} ${text}`));
        resolve({ ms: performance.now() - startedMs, text });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}
