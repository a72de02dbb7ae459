/**
 * The kernel's service: reads, asks a pure plan, commits it. Everything that happens to a proposal
 * happens here; rooms hand in attestations and ask for the next state.
 */
import type { NewId } from '../base/index.ts';
import type { Actor, AttestationKind, ProposalContent } from '../facts/index.ts';
import type { Plan, Store } from '../store/index.ts';
import {
  type AdvanceRequest,
  type AttestationDraft,
  planAdvance,
  planAmend,
  planAttest,
  planCreate,
  type Refusal,
} from './plans.ts';
import { readDossier, readProposal } from './proposal-store.ts';
import type { Proposal } from './types.ts';

export type Outcome = { readonly done: true } | { readonly done: false; readonly refusal: Refusal };

export class Proposals {
  readonly #store: Store;
  readonly #newId: NewId;

  constructor(store: Store, newId: NewId) {
    this.#store = store;
    this.#newId = newId;
  }

  async create(content: ProposalContent): Promise<Proposal> {
    const id = this.#newId('p');
    await this.#store.commit(planCreate(id, content, await this.#store.nowMs()));
    return readProposal(this.#store, id);
  }

  async advance(id: string, request: Omit<AdvanceRequest, 'nowMs'>): Promise<Outcome> {
    const dossier = await readDossier(this.#store, id);
    const planned = planAdvance(dossier, { ...request, nowMs: await this.#store.nowMs() });
    return 'refused' in planned ? refused(planned.refused) : this.#commit(planned.plan);
  }

  async attest(id: string, draft: NewAttestation): Promise<Outcome> {
    const proposal = await readProposal(this.#store, id);
    const attestation = { ...draft, id: this.#newId('att') } as AttestationDraft;
    return this.#commit(planAttest(proposal, attestation, await this.#store.nowMs()));
  }

  async amend(id: string, content: ProposalContent, actor: Actor): Promise<Outcome> {
    const proposal = await readProposal(this.#store, id);
    const planned = planAmend(proposal, content, actor, await this.#store.nowMs());
    return 'refused' in planned ? refused(planned.refused) : this.#commit(planned.plan);
  }

  async #commit(plan: Plan): Promise<Outcome> {
    const result = await this.#store.commit(plan);
    return result.committed ? { done: true } : refused({ why: 'changed' });
  }
}

/** Everything but its id, kind by kind. */
type NewAttestation = {
  [K in AttestationKind]: Omit<AttestationDraft<K>, 'id'>;
}[AttestationKind];

function refused(refusal: Refusal): Outcome {
  return { done: false, refusal };
}
