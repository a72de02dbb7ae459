/** A refusal over HTTP, in the same form everywhere. */
import type { RouteAnswer } from './types.ts';

type Document = Extract<RouteAnswer, { readonly body: unknown }>;

export function refusal(
  status: number,
  code: string,
  message: string,
  hint: string | null = null,
): Document {
  return { status, body: { error: { code, message, hint } } };
}
