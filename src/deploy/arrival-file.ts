/**
 * What is known about a change on its way from the branch to the agents: kept as the file of the newest `arrival`
 * attestation, so that a process that was killed goes on from what was committed.
 */
import { z } from 'zod';
import { type Artifact, readArtifact } from '../artifact/index.ts';
import { type Dossier, latest, type StepAttestation } from '../proposal/index.ts';
import type { Store } from '../store/index.ts';
import { jsonFile } from './answers.ts';

const hookSchema = z.object({
  run: z.string(),
  how: z.enum(['done', 'failed', 'timeout', 'not_started']),
  /** Its exit code; null where there is none. */
  code: z.number().nullable(),
  /** What it printed, cleaned and cut. */
  output: z.string(),
});

const fileSchema = z.object({
  report: z.literal('arrival'),
  event: z.enum(['deployed', 'reverted']),
  commit: z.string(),
  /** When the branch moved. */
  sinceMs: z.number(),
  /** How often the hooks were run for this commit; they ran when the last time is known. */
  tries: z.number(),
  hooks: z.array(hookSchema),
  hooksAtMs: z.number().nullable(),
  /** What the agents said last; null where they were not asked or said nothing. */
  answered: z.string().nullable(),
  arrivedAtMs: z.number().nullable(),
  smoke: hookSchema.nullable(),
  /** What the verify command said of the commit; files of before it existed do not have it. */
  verify: hookSchema.nullable().default(null),
});

export type HookRun = z.infer<typeof hookSchema>;
export type Arrival = z.infer<typeof fileSchema>;

/** It begins with the move; nothing was done for it yet. */
export function awaitedArrival(
  event: Arrival['event'],
  commit: string,
  sinceMs: number,
): StepAttestation<'arrival'> {
  const file = arrivalFile({
    ...{ report: 'arrival', event, commit, sinceMs },
    ...{ tries: 0, hooks: [], hooksAtMs: null, answered: null, arrivedAtMs: null },
    ...{ smoke: null, verify: null },
  });
  return { kind: 'arrival', verdict: 'awaited', files: [file] };
}

export const arrivalFile = (arrival: Arrival): Artifact => jsonFile(arrival);

export async function readArrival(
  { proposal, attestations }: Dossier,
  store: Store,
): Promise<Arrival | undefined> {
  const [digest] = latest(attestations, 'arrival', proposal.digest)?.artifacts ?? [];
  if (digest === undefined) return undefined;
  const text = Buffer.from((await readArtifact(store, digest)).content).toString();
  return fileSchema.parse(JSON.parse(text));
}

/** When the agents got the change: the watch starts then. Undefined where nothing was waited for. */
export async function arrivedAtMs(dossier: Dossier, store: Store): Promise<number | undefined> {
  const arrival = await readArrival(dossier, store);
  return arrival?.event === 'deployed' ? (arrival.arrivedAtMs ?? undefined) : undefined;
}
