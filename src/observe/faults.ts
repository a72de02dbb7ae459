/** A fault of the file system or the network, not of the store or of Hone itself. */
export function isSystemFault(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
