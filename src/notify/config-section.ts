import { z } from 'zod';
import { field, section } from '../config/index.ts';

const webhook = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,40}$/),
  url: z.url({ protocol: /^https?$/ }).max(2000),
  /** The environment variable that holds the secret, never the secret itself. */
  secretEnv: z.string().regex(/^[A-Z][A-Z0-9_]{0,100}$/),
});

export const notifySection = section('notify', 'Who is told, and where.', {
  terminal: field(z.boolean(), true, {
    weakens: { strictestFirst: [true, false] },
    comment: 'On the terminal of hone up and hone cycle.',
  }),
  webhooks: field(z.array(webhook).max(20), [], {
    weakens: 'any',
    comment: 'Standard Webhooks: name, url, and secretEnv, the variable with its whsec_ secret.',
    asked: {
      example: { name: 'team', url: 'https://example.org/hone', secretEnv: 'HONE_WEBHOOK' },
    },
  }),
});
