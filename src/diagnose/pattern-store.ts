/** Patterns in the store: the newest of each in a row, the whole of it as an artifact. */
import { artifactWrite, makeArtifact, ParsedArtifacts } from '../artifact/index.ts';
import { canonicalJson } from '../base/index.ts';
import { type CauseLayer, type EntryDraft, type Pattern, SYSTEM } from '../facts/index.ts';
import { patternSchema } from '../facts/schemas.ts';
import { recordedText } from '../sanitise/index.ts';
import type { Plan, Row, Store, Write } from '../store/index.ts';
import type { KnownPattern } from './types.ts';

export const PATTERNS = 'diagnose_patterns';

/** A pattern as lists show it. */
export interface PatternRow {
  readonly id: string;
  readonly title: string;
  /** Digest of the artifact that holds the whole pattern. */
  readonly digest: string;
  /** The cycle that found it last. */
  readonly cycleId: string;
  readonly occurrences: number;
  readonly score: number;
  readonly layer: CauseLayer;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  readonly foundAtMs: number;
}

/** A pattern that is found again replaces its row; what was found before stays in the ledger. */
export function patternParts(found: {
  readonly cycleId: string;
  readonly patterns: readonly Pattern[];
  readonly nowMs: number;
}): Required<Pick<Plan, 'writes' | 'entries'>> {
  const { cycleId, nowMs } = found;
  const writes: Write[] = [];
  const entries: EntryDraft[] = [];
  for (const pattern of found.patterns) {
    const artifact = makeArtifact(canonicalJson(pattern), 'application/json');
    const { digest } = artifact;
    const { id, occurrences, score, layer, firstAtMs, lastAtMs } = pattern;
    const title = recordedText(pattern.title);
    const about = { title, occurrences, score, layer, firstAtMs, lastAtMs };
    const data = { patternDigest: digest, cycleId, ...about };
    writes.push(artifactWrite(artifact, nowMs), patternWrite(id, data, nowMs));
    entries.push({
      type: 'diagnose.pattern_found',
      actor: SYSTEM,
      subject: `pattern:${id}`,
      data,
      artifacts: [digest],
      atMs: nowMs,
    });
  }
  return { writes, entries };
}

type Found = Extract<EntryDraft, { type: 'diagnose.pattern_found' }>['data'];

/** The one way from an entry's data to the row, so that a rebuilt row is the same. */
export function patternWrite(id: string, data: Found, atMs: number): Write {
  const row = {
    title: data.title,
    pattern_digest: data.patternDigest,
    cycle_id: data.cycleId,
    occurrences: data.occurrences,
    score: data.score,
    layer: data.layer,
    first_at_ms: data.firstAtMs,
    last_at_ms: data.lastAtMs,
    found_at_ms: atMs,
  };
  return { upsert: PATTERNS, key: { id }, row };
}

const READ = `SELECT id, title, pattern_digest, cycle_id, occurrences, score, layer, first_at_ms, last_at_ms,
  found_at_ms FROM ${PATTERNS}`;

export async function readPattern(store: Store, id: string): Promise<Pattern | undefined> {
  const [row] = await store.all(`${READ} WHERE id = ?`, [id]);
  return row === undefined ? undefined : wholePattern(store, row['pattern_digest'] as string);
}

/** The newest first, within them the highest score. */
export async function listPatterns(
  store: Store,
  limit = 100,
  before?: string,
): Promise<PatternRow[]> {
  // Two of them descend and one ascends, so the place is compared with signs turned.
  const behind =
    before === undefined
      ? ''
      : `WHERE (-found_at_ms, -score, id) > (SELECT -found_at_ms, -score, id FROM ${PATTERNS} WHERE id = ?)`;
  const order = 'ORDER BY found_at_ms DESC, score DESC, id LIMIT ?';
  const values = before === undefined ? [limit] : [before, limit];
  return (await store.all(`${READ} ${behind} ${order}`, values)).map(rowOf);
}

/** Those whose id begins so; at most three. */
export async function findPattern(store: Store, prefix: string): Promise<PatternRow[]> {
  const until = `${prefix}\u{10FFFF}`;
  const rows = await store.all(`${READ} WHERE id >= ? AND id < ? ORDER BY id LIMIT 3`, [
    prefix,
    until,
  ]);
  const exact = rows.filter((row) => row['id'] === prefix);
  return (exact.length > 0 ? exact : rows).map(rowOf);
}

/** What `diagnose` needs to recognise patterns of earlier cycles. */
export async function knownPatterns(store: Store, limit = 200): Promise<KnownPattern[]> {
  const rows = await listPatterns(store, limit);
  const patterns = await Promise.all(rows.map(({ digest }) => wholePattern(store, digest)));
  return patterns.map(({ id, kind, event, template, agent, tool, errorCode }) => ({
    id,
    kind,
    ...(event === undefined ? {} : { event }),
    template,
    agent,
    tool,
    errorCode,
  }));
}

/** Twice as many as are known to a diagnosis. */
const WHOLE = new ParsedArtifacts((text): Pattern => patternSchema.parse(JSON.parse(text)), 400);

function wholePattern(store: Store, digest: string): Promise<Pattern> {
  return WHOLE.read(store, digest);
}

function rowOf(row: Row): PatternRow {
  return {
    id: row['id'] as string,
    title: row['title'] as string,
    digest: row['pattern_digest'] as string,
    cycleId: row['cycle_id'] as string,
    occurrences: row['occurrences'] as number,
    score: row['score'] as number,
    layer: row['layer'] as CauseLayer,
    firstAtMs: row['first_at_ms'] as number,
    lastAtMs: row['last_at_ms'] as number,
    foundAtMs: row['found_at_ms'] as number,
  };
}
