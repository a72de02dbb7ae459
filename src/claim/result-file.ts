/**
 * What a sub-agent hands in as a file, and not in what it prints: `{ "summary": "…", "claims": [{ "file" } | { "symbol", "file" } |
 * { "signature", "file" } | { "table" } | { "snippet", "language" }] }`. Anything else is a text.
 */
import { z } from 'zod';
import { findClaims } from './find-claims.ts';
import type { Claim } from './types.ts';

const text = z.string().min(1).max(4000);
const resultSchema = z.object({
  summary: z.string().max(100_000).optional(),
  claims: z
    .array(
      z.union([
        z.strictObject({ symbol: text, file: text.optional() }),
        z.strictObject({ signature: text, file: text.optional() }),
        z.strictObject({ table: text }),
        z.strictObject({ snippet: z.string().max(100_000), language: text }),
        z.strictObject({ file: text }),
      ]),
    )
    .max(1000),
});

export function claimsIn(given: string): Claim[] {
  const result = resultSchema.safeParse(jsonOf(given));
  if (!result.success) return findClaims(given);
  const { summary = '', claims } = result.data;
  return [...findClaims(summary), ...claims.flatMap(structured)];
}

function jsonOf(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}

/** In the words of a text, so that both are read by one reader; a name stands for a definition. */
function structured(one: z.output<typeof resultSchema>['claims'][number]): Claim[] {
  if ('table' in one) return [{ level: 'table', said: one.table, name: one.table }];
  if ('snippet' in one)
    return [
      {
        level: 'snippet',
        said: one.snippet,
        name: one.snippet,
        language: one.language.toLowerCase(),
      },
    ];
  if (!('symbol' in one || 'signature' in one))
    return [{ level: 'file', said: one.file, name: one.file }];
  const said = 'symbol' in one ? one.symbol : one.signature;
  const named = findClaims(`\`${said.replaceAll('`', '')}\``).map((claim) =>
    claim.level === 'file' ? claim : { ...claim, file: one.file, isDefinition: true },
  );
  return one.file === undefined
    ? named
    : [{ level: 'file', said: one.file, name: one.file }, ...named];
}
