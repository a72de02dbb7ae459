/**
 * What a result says, as it is looked at for secrets: texts as the agent reads them, without the frame and the escapes
 * that MCP puts around them, and everything else as JSON. Nothing of a result is left out.
 */
import type { Json } from '../base/index.ts';

interface Result {
  readonly [key: string]: Json | undefined;
}

export function outputText({ content, ...rest }: Result): string {
  const parts = Array.isArray(content) ? (content as Json[]).map(ofItem) : [ofValue(content)];
  for (const key in rest) parts.push(`${key}: ${ofValue(rest[key])}`);
  return parts.join('\n');
}

/** An item that is only a text. One with anything beside it is written as it is. */
function ofItem(item: Json): string {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return ofValue(item);
  const { type, text, ...beside } = item as Result;
  for (const _ in beside) return JSON.stringify(item);
  return type === 'text' && typeof text === 'string' ? text : JSON.stringify(item);
}

const ofValue = (value: Json | undefined): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
