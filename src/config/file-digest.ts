/**
 * Names the exact bytes of a configuration file. Apart from the rest, so that a command that finds
 * the accepted bytes unchanged loads neither the YAML parser nor the schemas.
 */
import { hash } from 'node:crypto';

/**
 * Not the pinned digest: that one is over the meaning. Equal bytes mean the same configuration only
 * within one build, because another build may have other defaults; keep this beside its version.
 */
export function fileDigest(bytes: Uint8Array): `sha256:${string}` {
  return `sha256:${hash('sha256', bytes, 'hex')}`;
}
