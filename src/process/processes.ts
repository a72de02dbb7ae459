/** The processes there are: Hone's own, and those of the accepted configuration, which may replace one of them. */
import { type Artifact, makeArtifact, readArtifact } from '../artifact/index.ts';
import { canonicalJson } from '../base/index.ts';
import type { Store } from '../store/index.ts';
import { definitionSchema, type ProcessDefinition } from './definition.ts';
import autopilot from './processes/autopilot.json' with { type: 'json' };
import leo from './processes/leo.json' with { type: 'json' };

const SHIPPED: readonly ProcessDefinition[] = [autopilot, leo].map((one) =>
  definitionSchema.parse(one),
);

export function processesOf(own: readonly ProcessDefinition[]): readonly ProcessDefinition[] {
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...SHIPPED.filter(({ name }) => !names.has(name))];
}

/** A task keeps the definition that it began with, whatever the configuration says later. */
export function definitionArtifact(definition: ProcessDefinition): Artifact {
  return makeArtifact(canonicalJson(definition), 'application/json');
}

export async function readDefinition(store: Store, digest: string): Promise<ProcessDefinition> {
  const { content } = await readArtifact(store, digest);
  return definitionSchema.parse(JSON.parse(Buffer.from(content).toString()));
}
