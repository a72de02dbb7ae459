import { z } from 'zod';
import { settingValueSchema } from './pattern-schema.ts';

const name = z.string().min(1).max(400);
const keys = z.array(z.string().max(400)).min(1).max(50);

export const changeSchema = z.discriminatedUnion('kind', [
  /** One value in a file, by the keys that lead to it. */
  z.strictObject({
    kind: z.literal('set_value'),
    file: name,
    path: keys,
    from: settingValueSchema,
    to: settingValueSchema,
  }),
  /** A section of a text, by the headings that lead to it. */
  z.strictObject({
    kind: z.literal('edit_text'),
    file: name,
    section: keys,
    edit: z.enum(['add', 'replace', 'remove']),
  }),
  z.strictObject({ kind: z.literal('edit_code'), file: name, symbol: name }),
  z.strictObject({ kind: z.literal('add_file'), file: name }),
]);
