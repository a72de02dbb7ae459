/** Apart from the room's index: PostgreSQL's client is loaded only where it is used. */
export { otherRestore, PutBack } from './put-back.ts';
export { postgresSnapshot } from './snapshot.ts';
export { openPostgres } from './store.ts';
