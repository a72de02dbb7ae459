/** Undefined for bytes that are no UTF-8. A byte order mark is kept: it is one of the bytes that stay. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
