/**
 * The hooks of coding agents, by client and place (one working tree on one machine).
 *
 *   installed ──an operator takes them out──► removed
 *       └──somebody else does──► gone ──installed again, or an operator says so──► …
 *
 * Beside it what the last probe found. Rows come from the ledger's entries alone.
 */
import type { Actor, EntryPayload } from '../facts/index.ts';
import type { Plan, Row, Store, Write } from '../store/index.ts';

export const HOOKS = 'gateway_hooks';

type HookState = 'installed' | 'removed' | 'gone';

export interface HookRecord {
  readonly client: string;
  readonly place: string;
  readonly state: HookState | null;
  readonly verdict: string | null;
  readonly why: string | null;
  readonly probedAtMs: number | null;
}

type HookEntry = 'gateway.hooks_installed' | 'gateway.hooks_removed' | 'gateway.hooks_probed';

type HookDraft = {
  readonly [T in HookEntry]: { readonly type: T; readonly data: EntryPayload<T> };
}[HookEntry];

export function hooksWrite(type: HookEntry, data: HookDraft['data'], atMs: number): Write {
  const { client, place = '' } = data;
  return {
    upsert: HOOKS,
    key: { id: `${place}/${client}` },
    row: { client, place, ...changeOf(type, data, atMs) },
  };
}

function changeOf(type: HookEntry, data: HookDraft['data'], atMs: number): Row {
  switch (type) {
    case 'gateway.hooks_installed':
      return { state: 'installed', changed_at_ms: atMs };
    case 'gateway.hooks_removed': {
      const { byOperator } = data as EntryPayload<'gateway.hooks_removed'>;
      return { state: byOperator === true ? 'removed' : 'gone', changed_at_ms: atMs };
    }
    case 'gateway.hooks_probed': {
      const { verdict, why } = data as EntryPayload<'gateway.hooks_probed'>;
      return { verdict, why, probed_at_ms: atMs };
    }
  }
}

export function hooksPlan(
  drafts: readonly HookDraft[],
  { actor, nowMs }: { readonly actor: Actor; readonly nowMs: number },
): Required<Pick<Plan, 'writes' | 'entries'>> {
  return {
    writes: drafts.map(({ type, data }) => hooksWrite(type, data, nowMs)),
    entries: drafts.map((draft) => ({
      ...draft,
      actor,
      subject: `hooks:${draft.data.client}`,
      atMs: nowMs,
    })),
  };
}

export async function readHooks(store: Store): Promise<HookRecord[]> {
  const rows = await store.all(`SELECT * FROM ${HOOKS} ORDER BY id`);
  return rows.map((row) => ({
    client: row['client'] as string,
    place: row['place'] as string,
    state: row['state'] as HookState | null,
    verdict: row['verdict'] as string | null,
    why: row['why'] as string | null,
    probedAtMs: row['probed_at_ms'] === null ? null : Number(row['probed_at_ms']),
  }));
}
