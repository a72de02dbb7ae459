/**
 * The holder that is paused, as a process of its own: takes the lease, says so, and then writes under
 * it as fast as it can until it is refused, round after round, until it is killed. With `unfenced` it
 * leaves the fence out.
 *
 *   node chaos/parts/lease-holder.ts <path or URL> <fenced|unfenced>
 */
import { systemClock } from '../../src/base/index.ts';
import { Leases } from '../../src/lease/index.ts';
import { LEASE, openLeaseStore, TTL_MS, WRITES_AFTER } from './lease-store.ts';

const [place = '', mode = 'fenced'] = process.argv.slice(2);
const store = await openLeaseStore(place);
const leases = new Leases(store);
const write = {
  update: 'ledger_cursors',
  where: { consumer: 'written' },
  set: { position: { add: 1 } },
};

for (;;) {
  const lease = await take();
  process.stdout.write(`held ${lease.token}\n`);
  // Without the fence nothing ever refuses it: it stops a few writes after the lease ran out.
  for (let late = 0; late < WRITES_AFTER; ) {
    const expect = mode === 'fenced' ? [lease.fence] : [];
    const result = await store.commit({ expect, writes: [write] });
    if (!result.committed) break;
    if (mode === 'unfenced' && (await store.nowMs()) > lease.expiresAtMs) late += 1;
    await systemClock.sleep(1);
  }
  process.stdout.write('stopped\n');
}
async function take() {
  for (;;) {
    const got = await leases.acquire(LEASE, 'paused', TTL_MS);
    if (got.acquired) return got.lease;
    await systemClock.sleep(2);
  }
}
