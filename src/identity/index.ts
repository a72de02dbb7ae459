export { IdentityError, type IdentityErrorCode } from './errors.ts';
export { type LocalIdentity, localActor } from './local-actor.ts';
export { type Bearer, type Token, Tokens } from './tokens.ts';
