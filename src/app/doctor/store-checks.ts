/** The store, its clock, and what in it needs attention. */
import { systemClock, withTimeout } from '../../base/index.ts';
import { Tokens } from '../../identity/index.ts';
import { Leases } from '../../lease/index.ts';
import {
  knownRoot,
  LedgerView,
  latestCheckpoint,
  parseVerifier,
  recordedKeys,
  verifyInclusion,
} from '../../ledger/index.ts';
import { countEffects } from '../../outbox/index.ts';
import { clockDoubts, clockWords } from '../clock-doubts.ts';
import { lookAtHookCommands } from './hooks-check.ts';
import { lookForReceiver } from './receiver-check.ts';
import { type Check, error, ok, type WithStore, warning } from './types.ts';

const TAIL_ENTRIES = 20;
const PROBE_MS = 2_000;

export const storeChecks: readonly Check[] = [
  { name: 'store', needs: 'store', look: lookAtStore },
  { name: 'clock', needs: 'store', look: lookAtClock },
  { name: 'configuration', needs: 'store', look: lookAtConfiguration },
  { name: 'tokens', needs: 'store', look: lookAtTokens },
  { name: 'stop', needs: 'store', look: lookAtStop },
  { name: 'outbox', needs: 'store', look: lookAtOutbox },
  { name: 'ledger', needs: 'store', look: lookAtLedger },
  { name: 'server', needs: 'store', look: lookForServer },
  { name: 'receiver', needs: 'store', look: lookForReceiver },
  { name: 'hooks', needs: 'store', look: lookAtHookCommands },
];

/** Opening it proves its schema; taking and releasing a lease proves that it accepts writes. */
async function lookAtStore({ opened: { store }, context }: WithStore) {
  const leases = new Leases(store);
  const got = await leases.acquire('doctor', context.newId('doctor'), 1_000);
  if (got.acquired) await leases.release(got.lease);
  return ok(`${store.engine} at ${store.location}, readable and writable`);
}

/** The same doubts that "hone status" has. */
async function lookAtClock({ opened: { store }, context }: WithStore) {
  const [doubt] = await clockDoubts(store, context.clock);
  if (doubt === undefined) return ok('The clocks agree, and no entry is dated in the future.');
  const remedy = 'Set the clock of this machine (NTP).';
  return doubt.kind === 'back'
    ? warning(clockWords(doubt), remedy)
    : error(clockWords(doubt), remedy);
}

async function lookAtConfiguration({ opened: { configuration } }: WithStore) {
  const remedy = 'See "hone config show", then "hone config accept".';
  switch (configuration) {
    case 'accepted':
      return ok('hone.yaml is what was accepted.');
    case 'superseded':
    case 'unreadable':
      return error(`The configuration is ${configuration}: Hone only watches.`, remedy);
    default:
      return warning(
        `hone.yaml is ${configuration}; the accepted configuration stays in effect.`,
        remedy,
      );
  }
}

/** Whoever can write the database can add a token there; it proves nothing, and is reported. */
async function lookAtTokens({ opened: { store } }: WithStore) {
  if (await new Tokens(store).agree()) return ok('The tokens match the ledger.');
  return error(
    'The tokens in the database do not match the ledger: somebody changed them by hand.',
    '"hone ledger rebuild" lists the differences; an operator corrects them with --write.',
  );
}

async function lookAtStop({ opened: { killSwitch } }: WithStore) {
  const { stopped, reason } = await killSwitch.state();
  if (!stopped) return ok('Nothing is stopped.');
  return warning(
    `Everything automatic is stopped: ${reason}`,
    'Once that is fixed: "hone resume".',
  );
}

async function lookAtOutbox({ opened: { store } }: WithStore) {
  const { dead = 0, uncertain = 0 } = await countEffects(store);
  if (dead + uncertain === 0) return ok('No effect is dead or uncertain.');
  return warning(
    `${dead} effects are dead and ${uncertain} uncertain.`,
    'See "hone outbox list", then "hone outbox settle".',
  );
}

/** The end of it, and the newest checkpoint; "hone ledger verify" reads all of it. */
async function lookAtLedger({ opened }: WithStore) {
  const { store } = opened;
  const view = new LedgerView(store);
  const { size, root } = await view.head();
  const changed = await changedInTail(view, size, root);
  if (changed !== undefined) {
    return error(`Entry ${changed} is not what was recorded there.`, 'Run "hone ledger verify".');
  }
  const latest = await latestCheckpoint(store);
  const remedy = 'Run "hone ledger verify".';
  if (latest === undefined) {
    return warning(
      `${size} entries, none covered by a checkpoint.`,
      '"hone up" signs one, or "hone ledger checkpoint".',
    );
  }
  const verifiers = (await recordedKeys(store)).map(parseVerifier);
  const known = knownRoot(latest.note, 'the newest checkpoint', verifiers);
  if (!known.ok)
    return error('The newest checkpoint is not signed by a key of this ledger.', remedy);
  if (latest.size > size) return error('The ledger is shorter than its newest checkpoint.', remedy);
  const isSame = Buffer.from(await view.rootAt(latest.size)).equals(known.roots[0]!.root);
  if (!isSame)
    return error('The ledger is not the one that its newest checkpoint describes.', remedy);
  return ok(`${size} entries, signed up to ${latest.size}`);
}

/** Each of the newest entries, proven to be in the tree. */
async function changedInTail(
  view: LedgerView,
  size: number,
  root: Uint8Array,
): Promise<number | undefined> {
  for (let index = Math.max(0, size - TAIL_ENTRIES); index < size; index++) {
    const leafHash = await view.leafHash(index);
    const proof = await view.proveInclusion(index, size);
    if (!verifyInclusion({ index, size, root, leafHash, proof }).ok) return index;
  }
  return undefined;
}

async function lookForServer({ opened: { config } }: WithStore) {
  const { host, port } = config.server;
  const name = host.includes(':') ? `[${host}]` : host;
  try {
    await withTimeout(systemClock, PROBE_MS, (signal) =>
      fetch(`http://${name}:${port}/healthz`, { signal }),
    );
    return ok(`Something answers at ${name}:${port}, as "hone up" would.`);
  } catch {
    return warning(
      `Nothing answers at ${name}:${port}.`,
      'Start "hone up" where Hone should work by itself.',
    );
  }
}
