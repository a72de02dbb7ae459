/**
 * A store that came back from a backup has forgotten the leases given out since. Whoever holds one of them must
 * not write: every token rises above what may have been given out, and so does the token that names begin with
 * that the backup does not know.
 */
import type { Store, Write } from '../store/index.ts';
import { raisedClaims } from './claims.ts';
import { FLOOR, Leases, TABLE } from './leases.ts';

/**
 * More acquisitions than a lease has in the age of a backup: at 1000 a second it takes 34 years. And 8000
 * restores of restores fit below 2^53, up to which both engines and JavaScript count exactly.
 */
const STEP = 2 ** 40;

/** Goes into the commit that makes a restored store usable. Nobody holds anything afterwards. */
export async function raisedFences(store: Store): Promise<Write[]> {
  const [floor] = await store.all(`SELECT token FROM ${TABLE} WHERE name = ?`, [FLOOR]);
  const before = (floor?.['token'] as number | undefined) ?? 0;
  const free = { holder: null, expires_at_ms: 0 };
  return [
    ...(await new Leases(store).list()).map(({ name }) => ({
      update: TABLE,
      where: { name },
      set: { token: { add: STEP }, ...free },
    })),
    {
      upsert: TABLE,
      key: { name: FLOOR },
      row: { token: before + STEP, ...free, ttl_ms: 0, contended: 0 },
    },
    ...(await raisedClaims(store, STEP)),
  ];
}
