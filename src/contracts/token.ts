/** Tokens. */
import { z } from 'zod';
import { ROLES } from '../facts/index.ts';
import { idInput, time, type Wire } from './shapes.ts';

const tokenJson = z.strictObject({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  createdAt: time,
  revokedAt: time.nullable(),
});

export const tokenAddJson = z.strictObject({
  token: tokenJson,
  secret: z.string(),
  /** It is the first of all, an operator's. */
  first: z.boolean(),
});

export const tokenResetJson = z.strictObject({
  token: tokenJson,
  secret: z.string(),
  revoked: z.array(z.string()),
  /** False where the notices could not be sent yet. */
  told: z.boolean(),
});

export const tokenListJson = z.strictObject({ tokens: z.array(tokenJson) });

export const tokenRevokeJson = z.strictObject({ name: z.string(), revoked: z.literal(true) });

export const tokenAddInput = z.strictObject({ name: idInput, role: z.enum(ROLES) });

export type ShownToken = Wire<typeof tokenJson>;
export type AddedToken = Wire<typeof tokenAddJson>;
export type ResetTokens = Wire<typeof tokenResetJson>;
export type TokenList = Wire<typeof tokenListJson>;
export type RevokedToken = Wire<typeof tokenRevokeJson>;
export type TokenAddInput = Wire<typeof tokenAddInput>;
