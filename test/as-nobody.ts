/** Work without root's power to read everything: root's tests of what may not be read would prove nothing. */
const NOBODY = 65_534;

/** Of this process, so only where no other file of tests runs in it meanwhile. Folders above what is read must let others in. */
export async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid!(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid!(0);
  }
}
