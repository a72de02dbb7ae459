export { IdentityError, type IdentityErrorCode } from './errors.ts';
export { isKnownAgent, type KnownAgent, type LocalIdentity, localActor } from './local-actor.ts';
export { type Bearer, type Token, Tokens } from './tokens.ts';
