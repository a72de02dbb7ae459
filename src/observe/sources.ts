/** The kinds of source that Hone knows. Adding one: `docs/guides/add-a-source.md`. */

import { z } from 'zod';
import { assert } from '../base/index.ts';
import { resemblance } from './reading/resemblance.ts';
import { auditLog } from './sources/audit-log/audit-log.ts';
import { claudeCode } from './sources/claude-code/claude-code.ts';
import { codex } from './sources/codex/codex.ts';
import { command } from './sources/command/command.ts';
import { commits } from './sources/commits/commits.ts';
import { errorReport } from './sources/error-report/error-report.ts';
import { health } from './sources/health/health.ts';
import { jsonl } from './sources/jsonl/jsonl.ts';
import { langfuse } from './sources/langfuse/langfuse.ts';
import { log } from './sources/log/log.ts';
import { openai } from './sources/openai/openai.ts';
import { otlp, otlpDocument } from './sources/otlp/otlp.ts';
import { table } from './sources/table/table.ts';
import { testReport } from './sources/test-report/test-report.ts';
import type { Source, SourceKind, SourcePorts, SourceSettings } from './types.ts';

export const SOURCES: readonly SourceKind[] = [
  jsonl,
  claudeCode,
  codex,
  otlp,
  otlpDocument,
  table,
  log,
  langfuse,
  openai,
  auditLog,
  testReport,
  errorReport,
  health,
  command,
  commits,
] as unknown as readonly SourceKind[];

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
  const others = kinds.filter((one) => one !== found);
  const resembles = (text: string, name: string) => resemblance(text, name, others);
  return found.open(own, { resembles, ...ports, openAs });
}

/** Where it reads, for people. */
export function placeOf(settings: SourceSettings): string {
  const { found, own } = kindOf(settings, SOURCES);
  return found.place(own);
}
