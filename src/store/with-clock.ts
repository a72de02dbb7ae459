/**
 * A store in simulated time. On PostgreSQL times are compared by the server's clock, which nobody can
 * move; here `nowMs` comes from the given clock on every engine, and everything else is real.
 */
import type { Clock } from '../base/index.ts';
import type { Store } from './types.ts';

export function withClock(store: Store, clock: Clock): Store {
  return {
    engine: store.engine,
    location: store.location,
    commit: (plan) => store.commit(plan),
    claim: (claim) => store.claim(claim),
    ...(store.revision === undefined ? {} : { revision: () => store.revision!() }),
    ...(store.allOf === undefined ? {} : { allOf: (reads) => store.allOf!(reads) }),
    all: (sql, parameters) => store.all(sql, parameters),
    nowMs: () => Promise.resolve(clock.nowMs()),
    notify: (channel) => store.notify(channel),
    listen: (channel, wake) => store.listen(channel, wake),
    close: () => store.close(),
  };
}
