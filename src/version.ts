/** The one place where the code says which release it is; a test compares it with package.json. */
export const VERSION = '0.2.0';

/** The oldest Node that runs this, as in package.json. */
export const NODE_MIN = '24.15';

export function isNodeNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [majorMin = 0, minorMin = 0] = NODE_MIN.split('.').map(Number);
  return major > majorMin || (major === majorMin && minor >= minorMin);
}
