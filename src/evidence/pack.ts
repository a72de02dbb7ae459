/**
 * A piece of evidence with its files: judged, named by the digest of its manifest, ready to be stored. The files are
 * sanitised before they are kept; what is judged is what is kept, so that it can be judged again.
 */
import { type Artifact, artifactWrite, makeArtifact, readArtifact } from '../artifact/index.ts';
import { canonicalJson, type Json } from '../base/index.ts';
import type {
  Actor,
  EntryDraft,
  EvidenceFact,
  EvidenceKind,
  EvidenceNeed,
  EvidenceOrigin,
} from '../facts/index.ts';
import { mask, recordedText } from '../sanitise/index.ts';
import type { Store, Write } from '../store/index.ts';
import { ITEMS, itemRow } from './item-rows.ts';
import { validatorOf } from './kinds.ts';
import type { EvidenceFile, EvidencePlace, Manifest, Pack, RunEnd } from './types.ts';

export interface PackInput {
  readonly id: string;
  readonly kind: EvidenceKind;
  readonly origin: EvidenceOrigin;
  readonly place: EvidencePlace;
  readonly commit: string | null;
  /** What the phase asks for; only the kind where it asks for nothing of it. */
  readonly need: EvidenceNeed;
  readonly file: EvidenceFile;
  readonly run?: RunEnd;
  /** Beside what is judged, such as what a command printed. */
  readonly more?: readonly EvidenceFile[];
}

/** Names in entries are one word. */
const wordOf = (name: string) => name.replace(/[^\w.+-]+/g, '_').slice(0, 100) || 'file';

export function makePack(input: PackInput): Pack {
  const { id, kind, origin, place, commit, need, run } = input;
  const validator = validatorOf(kind);
  const clean = (file: EvidenceFile): EvidenceFile => ({
    name: wordOf(file.name),
    text: mask(file.text, { except: ['email'] }).text,
  });
  const file = clean(input.file);
  const all = [file, ...(input.more ?? []).map(clean)];
  const files = all.map((one, at) =>
    makeArtifact(one.text, at === 0 ? validator.mediaType : 'text/plain'),
  );
  const judged = validator.judge(file, need, run);
  const problem = judged.problem === null ? null : recordedText(judged.problem);
  // In the order of canonical JSON, which the engine then writes by itself.
  const manifest: Manifest = {
    commit,
    files: files.map(({ digest, mediaType, content }, at) => ({
      digest,
      mediaType,
      name: all[at]!.name,
      sizeBytes: content.length,
    })),
    found: judged.found,
    isValid: judged.isValid,
    ...{ kind, name: file.name, need, origin, phase: place.phase, problem },
    ...{ round: place.round, run: run ?? null, task: place.taskId, v: 1 },
  };
  // A need's absent keys are absent in the bytes too.
  const artifact = makeArtifact(canonicalJson(manifest as unknown as Json), 'application/json');
  return {
    fact: {
      ...{ id, kind, name: file.name, origin, phase: place.phase, round: place.round, commit },
      ...{ isValid: judged.isValid, problem, manifestDigest: artifact.digest },
    },
    manifest: artifact,
    files,
  };
}

/** Goes into a plan that moves the task on by one version. */
export function packParts(
  { fact, manifest, files }: Pack,
  place: EvidencePlace,
  { actor, nowMs }: { readonly actor: Actor; readonly nowMs: number },
): { readonly writes: Write[]; readonly entries: EntryDraft[] } {
  const { id: evidenceId, problem, ...rest } = fact;
  const data = {
    ...rest,
    evidenceId,
    problem: problem === null ? null : recordedText(problem),
  };
  return {
    writes: [
      ...files.map((file) => artifactWrite(file, nowMs)),
      artifactWrite(manifest, nowMs),
      { insert: ITEMS, row: itemRow(place, data, actor, nowMs) },
    ],
    entries: [
      {
        type: 'evidence.added',
        actor,
        subject: `task:${place.taskId}`,
        data,
        artifacts: [manifest.digest, ...new Set(files.map(({ digest }) => digest))],
        atMs: nowMs,
      },
    ],
  };
}

export async function readManifest(store: Store, digest: string): Promise<Manifest> {
  return JSON.parse(textOf(await readArtifact(store, digest))) as Manifest;
}

export interface Verified {
  readonly ok: boolean;
  readonly problems: readonly string[];
}

/** Reads every byte again, compares it with its digest, and judges it again. */
export async function verifyPack(store: Store, fact: EvidenceFact): Promise<Verified> {
  const problems: string[] = [];
  try {
    const manifest = await readManifest(store, fact.manifestDigest);
    const same =
      manifest.kind === fact.kind &&
      manifest.origin === fact.origin &&
      manifest.commit === fact.commit;
    if (!same || manifest.phase !== fact.phase || manifest.round !== fact.round)
      problems.push('The manifest tells another story than the row.');
    const artifacts: Artifact[] = [];
    for (const { digest } of manifest.files) artifacts.push(await readArtifact(store, digest));
    const [first] = artifacts;
    if (first === undefined) problems.push('It has no files.');
    else {
      const file = { name: manifest.files[0]!.name, text: textOf(first) };
      const { isValid } = validatorOf(manifest.kind).judge(
        file,
        manifest.need,
        manifest.run ?? undefined,
      );
      if (isValid !== fact.isValid || isValid !== manifest.isValid)
        problems.push('Judged again, its verdict is another.');
    }
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  return { ok: problems.length === 0, problems };
}

const textOf = ({ content }: Artifact) => Buffer.from(content).toString();
