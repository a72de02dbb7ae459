/** The modes of the gates. */
import { z } from 'zod';
import { SWITCH_MODES } from '../facts/index.ts';
import { reasonInput, type Wire } from './shapes.ts';

const switchJson = z.strictObject({
  gate: z.string(),
  mode: z.enum(SWITCH_MODES),
  source: z.enum(['default', 'set']),
});

export const switchListJson = z.strictObject({
  switches: z.array(
    switchJson.extend({
      /** What it holds back. */
      about: z.string(),
    }),
  ),
});
export const switchSetJson = switchJson.extend({
  /** False where the notices could not be sent yet. */
  told: z.boolean(),
});

export const switchSetInput = z.strictObject({ mode: z.enum(SWITCH_MODES), reason: reasonInput });

export type SwitchList = Wire<typeof switchListJson>;
export type SetSwitch = Wire<typeof switchSetJson>;
export type SwitchSetInput = Wire<typeof switchSetInput>;
