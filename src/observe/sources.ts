/** The kinds of source that Hone knows. Adding one: `docs/guides/add-a-source.md`. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { claudeCode } from './sources/claude-code/claude-code.ts';
import { codex } from './sources/codex/codex.ts';
import { command } from './sources/command/command.ts';
import { jsonl } from './sources/jsonl/jsonl.ts';
import type { Source, SourceKind, SourcePorts, SourceSettings } from './types.ts';

export const SOURCES: readonly SourceKind[] = [jsonl, command, claudeCode, codex];

/** By the `kind` of an entry of `observe.sources`, with its own keys checked. */
function kindOf({ name: _, kind, ...own }: SourceSettings, kinds: readonly SourceKind[]) {
  const found = kinds.find((one) => one.kind === kind);
  assert(found !== undefined, `there is no kind of source "${kind}"`);
  return { found, own: z.strictObject(found.keys).parse(own) };
}

export function openSource(
  settings: SourceSettings,
  ports: SourcePorts,
  kinds: readonly SourceKind[] = SOURCES,
): Source {
  const { found, own } = kindOf(settings, kinds);
  const openAs: SourcePorts['openAs'] = (kind, its, files) =>
    openSource({ ...its, name: settings.name, kind }, { ...ports, files }, kinds);
  return found.open(own, { ...ports, openAs });
}

/** Where it reads, for people. */
export function placeOf(settings: SourceSettings): string {
  const { found, own } = kindOf(settings, SOURCES);
  return found.place(own);
}
