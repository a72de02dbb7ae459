/**
 * A source's miner: one row per form and per alias, so that a batch writes only what it changed.
 * Writing all 16 384 forms made every batch of 500 new messages take over a second.
 */
import type { Row, Store, Write } from '../store/index.ts';
import { Miner, type MinerState, TextError } from '../text/index.ts';
import { OTHER } from './series.ts';

const HEAD = 'observe_miner';
const FORMS = 'observe_miner_forms';
const ALIASES = 'observe_miner_aliases';

export interface KeptMiner {
  /** The source's number. */
  readonly source: number;
  readonly miner: Miner;
  /** The batch that saved it; 0 when none did. */
  readonly batch: number;
  /** Which of the kept states it is: a lost state is followed by a new one. */
  readonly generation: number;
  /** The state could not be read: templates are learnt again, old ids stay unresolved. */
  readonly lost: boolean;
}

export async function loadMiner(store: Store, source: number): Promise<KeptMiner> {
  const [row] = await store.all(
    `SELECT batch, generation, version, messages, forgotten FROM ${HEAD} WHERE source = ?`,
    [source],
  );
  if (row === undefined)
    return { source, miner: new Miner(), batch: 0, generation: 1, lost: false };
  const { batch, generation } = row as { batch: number; generation: number };
  try {
    const miner = Miner.load(await stateOf(store, source, row));
    return { source, miner, batch, generation, lost: false };
  } catch (error) {
    if (!(error instanceof TextError) && !(error instanceof SyntaxError)) throw error;
    return { source, miner: new Miner(), batch, generation: generation + 1, lost: true };
  }
}

async function stateOf(store: Store, source: number, head: Row): Promise<MinerState> {
  const of = [source, head['generation'] as number];
  const forms = await store.all(
    `SELECT state FROM ${FORMS} WHERE source = ? AND generation = ? ORDER BY form`,
    of,
  );
  // The oldest aliases go first when there are too many.
  const aliases = await store.all(
    `SELECT form, target FROM ${ALIASES} WHERE source = ? AND generation = ? ORDER BY batch, form`,
    of,
  );
  return {
    version: head['version'] as number,
    messages: head['messages'] as number,
    forgotten: head['forgotten'] as number,
    forms: forms.map(({ state }) => JSON.parse(state as string)),
    aliases: aliases.map(({ form, target }) => [form as number, target as number]),
  };
}

/** Nothing where the miner learnt nothing. */
export function saveMiner({ source, miner, generation, lost }: KeptMiner, batch: number): Write[] {
  const changes = miner.takeChanges();
  if (changes === undefined) return [];
  const { version, messages, forgotten, forms, goneForms, aliases, goneAliases } = changes;
  const key = (form: number) => ({ source, generation, form });
  const unreadable = lost ? [FORMS, ALIASES] : [];
  return [
    {
      upsert: HEAD,
      key: { source },
      row: { batch, generation, version, messages, forgotten },
    },
    ...unreadable.map(
      (of): Write => ({
        delete: of,
        where: { source, generation: generation - 1 },
      }),
    ),
    ...goneForms.map((form): Write => ({ delete: FORMS, where: key(form) })),
    {
      upsertRows: FORMS,
      key: ['source', 'generation', 'form'],
      merge: { state: 'replace' },
      values: forms.flatMap((form) => [source, generation, form.key, JSON.stringify(form)]),
    },
    ...goneAliases.map((form): Write => ({ delete: ALIASES, where: key(form) })),
    {
      upsertRows: ALIASES,
      key: ['source', 'generation', 'form'],
      merge: { target: 'replace', batch: 'replace' },
      values: aliases.flatMap(([form, target]) => [source, generation, form, target, batch]),
    },
  ];
}

/** The template's id; `OTHER` for a message that is unknown when nothing more is learnt. */
export function templateOf(miner: Miner, message: string, learns: boolean): string {
  return learns ? miner.add(message).templateId : (miner.recognise(message) ?? OTHER);
}
