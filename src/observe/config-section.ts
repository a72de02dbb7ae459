/** The section `observe` of `hone.yaml`. */
import { z } from 'zod';
import { field, ONCE_NAMED, section } from '../config/index.ts';

const sources = z
  .array(
    z.strictObject({
      name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/),
      path: z.string().min(1).max(1000),
    }),
  )
  .max(100)
  .superRefine((all, context) => {
    if (new Set(all.map(({ name }) => name)).size === all.length) return;
    const why = 'Two sources have the same name.';
    context.addIssue({ code: 'custom', params: { problem: 'bad_form', why } });
  });
const domain = z.string().regex(/^[a-z0-9.-]{1,253}$/);
const path = z.string().min(1).max(1000);

export const observeSection = section('observe', 'What agents tell about their work.', {
  sources: field(sources, [], {
    weakens: ONCE_NAMED,
    comment: 'Telemetry: JSONL files, or folders of *.jsonl, such as /var/log/agents.',
    asked: { example: { name: 'agents', path: '/var/log/agents' } },
  }),
  allowedDomains: field(
    z.array(domain).max(200),
    ['api.openai.com', 'api.anthropic.com', 'github.com'],
    { weakens: 'addition', comment: 'Hosts whose URLs are kept whole, without their secrets.' },
  ),
  allowedPaths: field(z.array(path).max(200), [], {
    weakens: 'addition',
    comment: 'Absolute paths kept whole; others are cut to two components.',
  }),
  redactUuids: field(z.boolean(), false, {
    weakens: { strictestFirst: [true, false] },
    comment: 'Replace UUIDs too. Sessions named by one become one.',
  }),
});
