/** Text as its bytes: what somebody put into the database need not be text at all. */
import type { Engine } from '../store/index.ts';

/** The SQL of a column's bytes. PostgreSQL takes valid UTF-8 only, and gives it. */
export function bytesText(column: string, engine: Engine): string {
  return engine === 'sqlite' ? `CAST(${column} AS BLOB)` : `convert_to(${column}, 'UTF8')`;
}

/** Undefined for what is no UTF-8. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
