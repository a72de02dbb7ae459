/** A fault of the file system or the network, and not one of the store's or our own. */
export function isSystemFault(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
