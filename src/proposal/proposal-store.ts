/** The kernel's rows, read back. */
import { type Artifact, readArtifact } from '../artifact/index.ts';
import { Recent } from '../base/index.ts';
import type { Actor, Attestation, ProposalContent, ProposalState } from '../facts/index.ts';
import { proposalContentSchema } from '../facts/schemas.ts';
import type { Row, Store } from '../store/index.ts';
import { ProposalError } from './errors.ts';
import { ATTESTATIONS, PROPOSALS } from './plans.ts';
import type { Dossier, Proposal } from './types.ts';

const READ = `SELECT id, version, state, digest, title, created_at_ms, changed_at_ms FROM ${PROPOSALS}`;

export async function readProposal(store: Store, id: string): Promise<Proposal> {
  const [row] = await store.all(`${READ} WHERE id = ?`, [id]);
  if (row === undefined) {
    throw new ProposalError('unknown', `There is no proposal ${id}.`, {
      hint: 'hone proposals list shows them.',
    });
  }
  return proposalOf(row);
}

/** Proposals whose id is or begins with this; an exact match is the only one. */
export async function findProposals(
  store: Store,
  beginning: string,
  limit: number,
): Promise<Proposal[]> {
  // A range, not LIKE: what was given may hold its wildcards. Ids are ASCII below `~`.
  const rows = await store.all(`${READ} WHERE id >= ? AND id < ? ORDER BY id LIMIT ?`, [
    beginning,
    `${beginning}~`,
    limit,
  ]);
  const found = rows.map(proposalOf);
  const exact = found.find(({ id }) => id === beginning);
  return exact === undefined ? found : [exact];
}

export async function listProposals(
  store: Store,
  filter: { states?: readonly ProposalState[]; before?: string | undefined; limit: number },
): Promise<Proposal[]> {
  const states = filter.states ?? [];
  const before = filter.before === undefined ? [] : [filter.before];
  const conditions = [
    ...(states.length === 0 ? [] : [`state IN (${states.map(() => '?').join(', ')})`]),
    ...before.map(() => 'id < ?'),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const rows = await store.all(`${READ} ${where} ORDER BY id DESC LIMIT ?`, [
    ...states,
    ...before,
    filter.limit,
  ]);
  return rows.map(proposalOf);
}

/** The content is checked against its digest on the way. */
export async function readDossier(store: Store, id: string): Promise<Dossier> {
  return dossierOf(store, await readProposal(store, id));
}

/** Of a proposal that was read already. */
export async function dossierOf(store: Store, proposal: Proposal): Promise<Dossier> {
  const [artifact, attestations] = await Promise.all([
    readArtifact(store, proposal.digest),
    readAttestations(store, proposal.id),
  ]);
  const content = contentOf(artifact);
  // Attestations read after the row may be newer than it; the plan's version expectation then refuses.
  return { proposal, content, attestations };
}

/** What bytes mean, by their digest, which was just checked. */
const contents = new Recent<ProposalContent>(64);

function contentOf({ digest, content }: Artifact): ProposalContent {
  return contents.get(digest, () =>
    proposalContentSchema.parse(JSON.parse(Buffer.from(content).toString())),
  );
}

/** Those made before the proposal's version `before`, or all of them. */
export async function readAttestations(
  store: Store,
  proposalId: string,
  before: number = Number.MAX_SAFE_INTEGER,
): Promise<Attestation[]> {
  const rows = await store.all(
    `SELECT id, proposal_id, kind, content_digest, verdict, scope, artifacts, actor, at_ms
     FROM ${ATTESTATIONS} WHERE proposal_id = ? AND position < ? ORDER BY position`,
    [proposalId, before],
  );
  return rows.map(attestationOf);
}

/** One by its id; undefined if there is none. */
export async function findAttestation(store: Store, id: string): Promise<Attestation | undefined> {
  const [row] = await store.all(
    `SELECT id, proposal_id, kind, content_digest, verdict, scope, artifacts, actor, at_ms
     FROM ${ATTESTATIONS} WHERE id = ?`,
    [id],
  );
  return row === undefined ? undefined : attestationOf(row);
}

function proposalOf(row: Row): Proposal {
  return {
    id: row['id'] as string,
    version: row['version'] as number,
    state: row['state'] as ProposalState,
    digest: row['digest'] as string,
    title: row['title'] as string,
    createdAtMs: row['created_at_ms'] as number,
    changedAtMs: row['changed_at_ms'] as number,
  };
}

function attestationOf(row: Row): Attestation {
  return {
    ...(JSON.parse(row['scope'] as string) as object),
    id: row['id'],
    proposalId: row['proposal_id'],
    kind: row['kind'],
    contentDigest: row['content_digest'],
    verdict: row['verdict'],
    artifacts: JSON.parse(row['artifacts'] as string) as string[],
    actor: JSON.parse(row['actor'] as string) as Actor,
    atMs: row['at_ms'],
  } as Attestation;
}
