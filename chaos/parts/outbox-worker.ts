/**
 * A process that sends what is queued until it is killed, or, with `drain`, until nothing is open.
 *
 *   node chaos/parts/outbox-worker.ts <path or URL> <server> <name> [drain]
 */
import { flushCompileCache } from 'node:module';
import { systemClock, systemRandom } from '../../src/base/index.ts';
import { LANES, type Lane, STEP_KINDS } from '../../src/facts/index.ts';
import { Leases } from '../../src/lease/index.ts';
import {
  type DeliverPorts,
  type Destination,
  deliverNext,
  type Effect,
  type Sent,
} from '../../src/outbox/index.ts';
import { DESTINATIONS, LIMITS, openOutboxStore } from './outbox-store.ts';

const [place = '', server = '', holder = '', mode = ''] = process.argv.slice(2);
const store = await openOutboxStore(place);
const ports: DeliverPorts = {
  store,
  leases: new Leases(store),
  clock: systemClock,
  random: systemRandom,
  allowedSteps: () => Promise.resolve(STEP_KINDS),
  holder,
  limits: LIMITS,
};
// A killed process leaves its successors no compiled code unless it does so before.
flushCompileCache();
process.stdout.write('open\n');
// Each lane by itself, as `hone up` does.
await Promise.all(
  DESTINATIONS.flatMap(({ kind, name }) =>
    LANES.map((lane) => serve(makeDestination(kind, name), lane)),
  ),
);
await store.close();

async function serve(destination: Destination, lane: Lane): Promise<void> {
  for (;;) {
    const step = await deliverNext(destination, ports, [lane]);
    if (step.did !== 'nothing') continue;
    if (step.why === 'empty' && mode === 'drain') return;
    await systemClock.sleep(3);
  }
}

function makeDestination(kind: Destination['kind'], name: string): Destination {
  const send = async (effect: Effect, signal: AbortSignal): Promise<Sent> => {
    const headers = { 'idempotency-key': effect.key };
    const response = await fetch(`${server}/${name}`, { method: 'POST', headers, signal });
    await response.arrayBuffer();
    if (response.status === 200) return { outcome: 'delivered' };
    return {
      outcome: 'failed',
      error: `status ${response.status}`,
      notDone: response.status === 503,
    };
  };
  if (kind !== 'findable') return { kind, name, send };
  const find = async (effect: Effect, signal: AbortSignal) => {
    const response = await fetch(`${server}/${name}?key=${effect.key}`, { signal });
    await response.arrayBuffer();
    return response.status === 200;
  };
  return { kind, name, send, find };
}
