/** Reading attestations. Only those about the exact content count, and of each kind the newest. */
import { canonicalJson, type Digest, sha256Hex } from '../base/index.ts';
import type { Attestation, AttestationKind } from '../facts/index.ts';

/** `all` in the order they were made. */
export function latest<K extends AttestationKind>(
  all: readonly Attestation[],
  kind: K,
  digest: string,
): Attestation<K> | undefined {
  return all.findLast((one) => one.kind === kind && one.subject === digest) as
    | Attestation<K>
    | undefined;
}

/**
 * What a decision's maker was shown: the newest vetting and validation of this content with their
 * files. A decision names this digest; new evidence makes another digest and needs a new decision.
 */
export function evidenceDigest(all: readonly Attestation[], digest: string): Digest {
  const shown = (['vetting', 'validation'] as const).map((kind) => {
    const one = latest(all, kind, digest);
    return one === undefined
      ? null
      : { id: one.id, verdict: one.verdict, artifacts: one.artifacts };
  });
  return `sha256:${sha256Hex(canonicalJson({ digest, shown }))}`;
}

/** Whether a person let this very content out of quarantine. */
export function isReleased(all: readonly Attestation[], digest: string): boolean {
  return all.some(
    ({ kind, verdict, subject, actor }) =>
      kind === 'vetting' && verdict === 'released' && subject === digest && actor.kind === 'human',
  );
}
