/** The source that names every key and default of `hone.yaml`, from their reference. */
import { sha256Hex } from '../../src/base/index.ts';

export function configDigestSource(reference: string): string {
  return `/** Names every key and default of \`hone.yaml\`; written by \`npm run generate\`, and a test says when it is stale. */
export const CONFIG_DIGEST = '${sha256Hex(reference).slice(0, 12)}';
`;
}
