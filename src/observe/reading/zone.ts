/** The key `zone` of sources whose times may name none. */
import { z } from 'zod';

/** The zone of times that name none. */
export const zoneKey = z
  .string()
  .regex(/^[+-](?:0\d|1[0-4]):[0-5]\d$/)
  .optional();
/** `+02:00`, in minutes. */
export function zoneMinutesOf(zone: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})$/.exec(zone ?? '') ?? [];
  if (sign === undefined) return 0;
  const count = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? -count : count;
}
