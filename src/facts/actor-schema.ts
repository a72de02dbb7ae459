import { z } from 'zod';
import { ACTOR_KINDS, VERIFICATIONS } from './actor.ts';

export const actorSchema = z.strictObject({
  /** A stable name such as `operator@example.org`, `token:deploy-bot` or `hone`. */
  id: z.string().min(1).max(200),
  kind: z.enum(ACTOR_KINDS),
  verified: z.enum(VERIFICATIONS),
});
