/**
 * Definitions of tools, pinned when they are first seen. A server that changes a name, description, schema or hint
 * afterwards offers a new tool: it is hidden and refused until a person accepts the definition that they saw.
 */
import { artifactWrite, makeArtifact } from '../artifact/index.ts';
import { type CleanText, canonicalJson, type Digest, digestOf, type Json } from '../base/index.ts';
import type { Actor } from '../facts/index.ts';
import type { Plan, Row, Store, Write } from '../store/index.ts';
import type { Pin } from './types.ts';

export const PINS = 'gateway_pins';

/** As a server lists it. Everything that a model or a client sees of it counts. */
export interface Definition {
  readonly name: string;
  readonly [key: string]: unknown;
}

export function definitionDigest(definition: Definition): Digest {
  return digestOf(definition as unknown as Json);
}

export function pinnedWrite(name: string, digest: string, atMs: number): Write {
  const row = { definition_digest: digest, pinned_at_ms: atMs, offered_digest: null };
  return { upsert: PINS, key: { name }, row };
}

export const offeredWrite = (name: string, offered: string): Write => ({
  update: PINS,
  where: { name },
  set: { offered_digest: offered },
});

export async function readPins(store: Store, names: readonly string[]): Promise<Map<string, Pin>> {
  if (names.length === 0) return new Map();
  const marks = names.map(() => '?').join(', ');
  const rows = await store.all(`SELECT * FROM ${PINS} WHERE name IN (${marks})`, names);
  return new Map(rows.map((row) => [row['name'] as string, pinOf(row)]));
}

export async function listPins(store: Store): Promise<Pin[]> {
  return (await store.all(`SELECT * FROM ${PINS} ORDER BY name`)).map(pinOf);
}

function pinOf(row: Row): Pin {
  return {
    name: row['name'] as string,
    definitionDigest: row['definition_digest'] as Digest,
    pinnedAtMs: Number(row['pinned_at_ms']),
    offeredDigest: row['offered_digest'] as Digest | null,
  };
}

/** What to record of the definitions that a server lists; undefined where all of it is known. */
export function pinPlan(
  offered: ReadonlyMap<string, Definition>,
  pins: ReadonlyMap<string, Pin>,
  { actor, nowMs }: { actor: Actor; nowMs: number },
): Required<Pick<Plan, 'writes' | 'entries' | 'expect'>> | undefined {
  const plan = { expect: [], writes: [], entries: [] } as {
    expect: NonNullable<Plan['expect']>[number][];
    writes: Write[];
    entries: NonNullable<Plan['entries']>[number][];
  };
  for (const [name, definition] of offered) {
    const digest = definitionDigest(definition);
    const pin = pins.get(name);
    if (pin?.definitionDigest === digest || pin?.offeredDigest === digest) continue;
    const artifact = makeArtifact(canonicalJson(definition as unknown as Json), 'application/json');
    const common = { actor, subject: `tool:${name}`, artifacts: [artifact.digest], atMs: nowMs };
    plan.writes.push(artifactWrite(artifact, nowMs));
    if (pin === undefined) {
      plan.expect.push({ table: PINS, where: { name }, exists: false });
      plan.writes.push(pinnedWrite(name, digest, nowMs));
      const data = { tool: name, definitionDigest: digest };
      plan.entries.push({ ...common, type: 'gateway.tool_pinned', data });
    } else {
      plan.expect.push({ table: PINS, where: { name, definition_digest: pin.definitionDigest } });
      plan.writes.push(offeredWrite(name, digest));
      const data = { tool: name, definitionDigest: pin.definitionDigest, offeredDigest: digest };
      plan.entries.push({ ...common, type: 'gateway.tool_changed', data });
    }
  }
  return plan.entries.length === 0 ? undefined : plan;
}

/** A person saw the definition that is offered, and takes it. */
export function acceptPlan(
  pin: Pin & { readonly offeredDigest: Digest },
  { actor, reason, nowMs }: { actor: Actor; reason: CleanText; nowMs: number },
): Plan {
  const { name, definitionDigest: previousDigest, offeredDigest } = pin;
  const data = { tool: name, definitionDigest: offeredDigest, previousDigest, reason };
  return {
    expect: [
      {
        table: PINS,
        where: { name, definition_digest: previousDigest, offered_digest: offeredDigest },
      },
    ],
    writes: [pinnedWrite(name, offeredDigest, nowMs)],
    entries: [{ type: 'gateway.tool_accepted', actor, subject: `tool:${name}`, data, atMs: nowMs }],
  };
}
