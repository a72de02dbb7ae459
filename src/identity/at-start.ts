/** What every start of `hone` loads of this room: light, and nothing beside it (ADR 005). */
export { localActor } from './local-actor.ts';
export { isFromReset, type Token } from './token-rows.ts';
export { Tokens } from './tokens.ts';
