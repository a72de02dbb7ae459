/** A line that is a record: JSON as pino, winston, zap, slog or journald write it, or logfmt. */
import { httpCallIn } from '../../reading/http-call.ts';
import { isBad, type Level } from '../../reading/outcomes.ts';
import { event } from '../../reading/records.ts';
import {
  countIn,
  errorIn,
  latencyIn,
  levelIn,
  nameIn,
  type Roles,
  rolesOf,
  successIn,
  timeIn,
} from '../../reading/roles.ts';
import { argumentsOf, bounded, type Fields, textOf } from '../../reading/values.ts';
import type { Decoded } from '../../types.ts';

export interface RecordContext {
  /** The file's, or the container's. */
  readonly agent: string;
  /** If the record has no time of its own. */
  readonly otherwiseMs: number | undefined;
  readonly zoneMinutes: number;
  sessionAt(atMs: number): string;
}

/** Names that say "a tool": the others (`action`, `method`) need an outcome beside them. */
const SURE_TOOL_RANK = 6;

/** Undefined if it has no time. */
export function recordLine(record: Fields, context: RecordContext): Decoded | undefined {
  const roles = rolesOf(record);
  const atMs = timeIn(roles, context.zoneMinutes) ?? context.otherwiseMs;
  if (atMs === undefined) return undefined;
  const common = commonOf(roles, atMs, context);
  const call = callOf(record, roles);
  const agent = nameIn(roles.agent) ?? context.agent;
  if (call !== undefined)
    return event<'tool_call'>({ kind: 'tool_call', ...common, agent, ...call });
  const error = errorIn(roles).message;
  const said = textOf(roles.message?.value) ?? error ?? textOf(record) ?? '';
  const message = error === undefined || said.includes(error) ? said : `${said}: ${error}`;
  const level = levelIn(roles) ?? (error === undefined ? 'info' : 'error');
  const logger = nameIn(roles.logger);
  return event<'log_line'>({
    kind: 'log_line',
    ...common,
    agent,
    logger,
    level,
    message: bounded(message),
  });
}

/** What every event of a record tells. */
function commonOf(roles: Roles, atMs: number, { sessionAt }: Pick<RecordContext, 'sessionAt'>) {
  return {
    atMs,
    session: nameIn(roles.session) ?? sessionAt(atMs),
    traceId: nameIn(roles.trace),
    spanId: nameIn(roles.span),
    parentSpanId: nameIn(roles.parent),
    version: nameIn(roles.version),
    model: nameIn(roles.model),
    provider: nameIn(roles.provider),
  };
}

/** Clearly a call: a tool or a request, and how it ended. */
function callOf(record: Fields, roles: Roles) {
  const latencyMs = latencyIn(roles);
  const http = httpCallIn(record);
  const error = errorIn(roles);
  if (http !== undefined) {
    const { tool, success, status } = http;
    return {
      tool,
      success,
      latencyMs,
      errorCode: success ? undefined : String(status),
      errorMessage: success ? undefined : (error.message ?? `HTTP ${status}`),
      outputBytes: countIn(roles.outputBytes),
    };
  }
  const tool = nameIn(roles.tool);
  if (tool === undefined) return undefined;
  const success = outcomeOf(roles, levelIn(roles));
  const isSure = roles.tool!.rank <= SURE_TOOL_RANK;
  if (
    isSure
      ? success === undefined && latencyMs === undefined
      : success === undefined || latencyMs === undefined
  )
    return undefined;
  const failed = success === false;
  return {
    tool,
    success: !failed,
    latencyMs,
    errorCode: failed ? error.code : undefined,
    errorMessage: failed ? (error.message ?? textOf(roles.message?.value)) : undefined,
    task: nameIn(roles.task),
    attempt: countIn(roles.attempt) || undefined,
    inputTokens: countIn(roles.inputTokens),
    outputTokens: countIn(roles.outputTokens),
    costUsd: countIn(roles.cost),
    ...argumentsOf(roles.arguments?.value),
  };
}

function outcomeOf(roles: Roles, level: Level | undefined): boolean | undefined {
  return successIn(roles) ?? (level !== undefined && isBad(level) ? false : undefined);
}

const PAIRS_MAX = 100;

/** `ts=… level=info msg="no answer"`: at least two pairs, and the line begins with one. */
export function logfmtOf(line: string): Fields | undefined {
  if (!/^[A-Za-z_@][\w.@/-]{0,60}=/.test(line)) return undefined;
  const fields: Record<string, string> = Object.create(null);
  const pair =
    /\s{0,20}([A-Za-z_@][\w.@/-]{0,60})=(?:"((?:[^"\\]|\\.){0,16384})"|([^\s"]{0,16384}))(?=\s|$)/y;
  let count = 0;
  for (; count < PAIRS_MAX; count++) {
    const found = pair.exec(line);
    if (found === null) break;
    fields[found[1]!] =
      found[3] ?? found[2]!.replace(/\\(.)/g, (_, sign) => (sign === 'n' ? '\n' : sign));
  }
  return count >= 2 ? { ...fields } : undefined;
}
