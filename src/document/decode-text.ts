/** Undefined for bytes that are not UTF-8. A byte order mark is kept, because edits must not remove it. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
