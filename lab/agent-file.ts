/**
 * An agent's file: which tools it may call, how long it waits for each and how often it tries again.
 * The file comes from a repository that anything may have changed: whatever stands in it, reading
 * it gives settings or one sentence that says what is wrong, and never throws.
 */
import { LineCounter, parseDocument } from 'yaml';
import { errorMessage } from '../src/base/index.ts';

const FILE_CHARS_MAX = 65_536;
const TOOLS_MAX = 100;
const TIMEOUT_MS_MAX = 3_600_000;
const RETRIES_MAX = 10;

export interface ToolSettings {
  readonly timeoutMs: number;
  readonly retries: number;
  /** What follows only version 2 of scenarios has. */
  readonly pauseMs?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly perMinute?: number | undefined;
  readonly outputMax?: number | undefined;
  readonly inputMax?: number | undefined;
  readonly arguments?: readonly string[] | undefined;
  /** The tool's name as the file has it. */
  readonly calls?: string | undefined;
}

export type AgentSettings =
  | {
      readonly ok: true;
      readonly tools: ReadonlyMap<string, ToolSettings>;
      readonly model?: string | undefined;
      readonly allowed?: ReadonlySet<string> | undefined;
      readonly stepsMax?: number | undefined;
    }
  | { readonly ok: false; readonly why: string };

export function readAgentFile(
  text: string | undefined,
  { agent, path }: { readonly agent: string; readonly path: string },
): AgentSettings {
  if (text === undefined) return broken(`${path} is missing`);
  const reading = readPlainYaml(text);
  if (!reading.ok) return broken(`${path} cannot be read: ${reading.why}`);
  const name = getIn(reading.value, ['name']);
  if (name !== agent) return broken(`${path}: name must be ${agent}, found ${shown(name)}`);
  const listed = getIn(reading.value, ['tools']);
  if (!isMap(listed)) return broken(`${path}: tools must be a map, found ${shown(listed)}`);
  const names = Object.keys(listed);
  if (names.length > TOOLS_MAX) return broken(`${path}: tools has more than ${TOOLS_MAX} entries`);
  const tools = new Map<string, ToolSettings>();
  for (const tool of names) {
    const timeoutMs = getIn(listed, [tool, 'timeout_ms']);
    if (!isWhole(timeoutMs, 1, TIMEOUT_MS_MAX))
      return broken(
        `${path}: timeout_ms of ${shown(tool)} must be a whole number from 1 to ${TIMEOUT_MS_MAX}, found ${shown(timeoutMs)}`,
      );
    const retries = getIn(listed, [tool, 'retries']);
    if (!isWhole(retries, 0, RETRIES_MAX))
      return broken(
        `${path}: retries of ${shown(tool)} must be a whole number from 0 to ${RETRIES_MAX}, found ${shown(retries)}`,
      );
    tools.set(tool, { timeoutMs, retries });
  }
  return { ok: true, tools };
}

type PlainYaml =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly why: string };

function readPlainYaml(text: string): PlainYaml {
  if (text.length > FILE_CHARS_MAX)
    return { ok: false, why: `it is longer than ${FILE_CHARS_MAX} characters` };
  try {
    const lines = new LineCounter();
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const [error] = document.errors;
    if (error !== undefined)
      return { ok: false, why: `line ${lines.linePos(error.pos[0]).line}: ${error.message}` };
    return { ok: true, value: document.toJS() };
  } catch (error) {
    // Aliases that repeat themselves without end are found only here.
    return { ok: false, why: errorMessage(error) };
  }
}

/** The value below these keys; undefined where there is none. */
function getIn(value: unknown, keys: readonly string[]): unknown {
  let at = value;
  for (const key of keys) {
    if (!isMap(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isWhole(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'a map';
  return JSON.stringify(String(value).slice(0, 40));
}

function broken(why: string): AgentSettings {
  return { ok: false, why };
}
