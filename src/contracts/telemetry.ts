/** What each source brought. */
import { z } from 'zod';
import { configurationState, count, time, type Wire } from './shapes.ts';

export const telemetryJson = z.strictObject({
  configuration: configurationState,
  sources: z.array(
    z.strictObject({
      name: z.string(),
      /** Null for a source that is not configured any more. */
      path: z.string().nullable(),
      exists: z.boolean(),
      files: count,
      notes: z.array(z.string()),
      events: count,
      /** Lines kept aside since ever; reasons are those of the newest 10 000. */
      aside: count,
      lastEventAt: time.nullable(),
      lastReadAt: time.nullable(),
      reasons: z.array(
        z.strictObject({
          reason: z.enum(['too_long', 'not_json', 'not_an_event', 'wrong_time', 'not_sanitised']),
          detail: z.string(),
          lines: count,
          /** The place of the newest of them; its text is never shown. */
          last: z.strictObject({
            file: z.string(),
            line: count.nullable(),
            byteOffset: count,
            seenAt: time,
          }),
        }),
      ),
    }),
  ),
});

export type TelemetryAnswer = Wire<typeof telemetryJson>;
