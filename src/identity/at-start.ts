/** The part of this room that every start of `hone` loads: keep it small (ADR 005). */
export { localActor } from './local-actor.ts';
export { isFromReset, type Token } from './token-rows.ts';
export { Tokens } from './tokens.ts';
