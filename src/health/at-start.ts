/** What every start of `hone` loads of this room: light, and nothing beside it (ADR 005). */
export { ownHealth } from './health.ts';
