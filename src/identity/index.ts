export {
  type AllowedSigners,
  type SignatureAnswer,
  type SignatureClaim,
  verifyAllowed,
} from './allowed-signers.ts';
export { IdentityError, type IdentityErrorCode } from './errors.ts';
export { isKnownAgent, type KnownAgent, type LocalIdentity, localActor } from './local-actor.ts';
export { signText } from './ssh-keygen.ts';
export { isFromReset, type Token } from './token-rows.ts';
export { planFirstToken, Tokens } from './tokens.ts';
export type { Asking, Bearer, Denial, Denied, Known, Made, Operators, Reset } from './types.ts';
