/**
 * The decision on one call: a pure function of the call, its contract, where its task stands and what its session did.
 * Every rule is asked and says how high it lifts the call; the highest counts. Nothing lowers a level here: a
 * person's answer to level 2 is looked for by `judge.ts`, and level 3 has no answer.
 */
import { type TaskContext, TOOL_RISKS, type ToolRisk } from '../facts/index.ts';
import { limitReasons } from './argument-limits.ts';
import { destructionIn } from './destruction.ts';
import { fullName, isPlainToolName, matchesAnyCase, matchesTool } from './names.ts';
import type {
  Call,
  Combination,
  Contract,
  Decision,
  GatewaySettings,
  History,
  Level,
  Reason,
  Sending,
} from './types.ts';

/** What is known before the call, and the same for every call. */
export interface Ground
  extends Pick<GatewaySettings, 'combinations' | 'uncontracted' | 'requireTask'> {
  /** The path of a secret that the arguments name. */
  readonly secretPath: string | undefined;
  /** Bytes of the arguments as JSON. */
  readonly argumentsBytes: number;
}

const LEVELS: Readonly<Record<ToolRisk, Level>> = {
  read_only: 0,
  low: 1,
  medium: 1,
  high: 2,
  blocked: 3,
};

/** Of a tool that nobody classified. */
const UNKNOWN_RISK: ToolRisk = 'medium';
const UNKNOWN_ARGUMENTS_MAX = 256 * 1024;

export function decide(
  call: Call,
  contract: Contract | undefined,
  context: TaskContext | undefined,
  history: History,
  ground: Ground,
): Decision {
  const name = fullName(call.server, call.tool);
  const risk = contract?.risk ?? UNKNOWN_RISK;
  const sends = contract?.sends ?? 'maybe';
  if (!isPlainToolName(call.server) || !isPlainToolName(call.tool)) {
    const text =
      'The name of the server or tool is not plain: letters, digits, "_", "-" and "." only.';
    return { level: 3, risk, reasons: [{ code: 'bad_name', level: 3, text }], marks: [] };
  }
  const marks = marksOf(name, ground);
  const reasons = [
    ...riskReasons(name, contract, ground),
    ...taskReasons(name, risk, context, ground),
    ...callReasons(call, contract, ground),
    ...combinationReasons({ name, sends, marks, history, ground }),
  ].sort((a, b) => b.level - a.level);
  return { level: reasons[0]?.level ?? 0, risk, reasons, marks };
}

function riskReasons(
  name: string,
  contract: Contract | undefined,
  { uncontracted, secretPath }: Ground,
): Reason[] {
  const reasons: Reason[] = [];
  if (contract === undefined) {
    const level = uncontracted === 'block' ? 3 : 2;
    const text = `${name} has no contract, so nobody has said how risky it is.`;
    reasons.push({ code: 'no_contract', level, text });
  } else {
    const level = LEVELS[contract.risk];
    if (level > 0) {
      const code = (['logged', 'logged', 'high_risk', 'blocked'] as const)[level];
      reasons.push({ code, level, text: `Its contract says that ${name} is ${contract.risk}.` });
    }
  }
  if (secretPath !== undefined) {
    const text = `It names a path of secrets (${secretPath}).`;
    reasons.push({ code: 'secret_read', level: 1, text });
  }
  return reasons;
}

function taskReasons(
  name: string,
  risk: ToolRisk,
  context: TaskContext | undefined,
  { requireTask }: Ground,
): Reason[] {
  if (context === undefined) {
    if (risk === 'read_only' || !requireTask) return [];
    const text = `Without a task only read-only tools pass, and ${name} is ${risk}.`;
    return [{ code: 'no_task', level: 3, text }];
  }
  const reasons: Reason[] = [];
  const { phase, phaseRisk, phaseTools, personaTools } = context;
  const isAllowed = phaseTools.some((pattern) => matchesTool(name, pattern));
  if (!isAllowed && TOOL_RISKS.indexOf(risk) > TOOL_RISKS.indexOf(phaseRisk)) {
    const text = `The task is in ${phase}, where tools up to ${phaseRisk} may be called; ${name} is ${risk} and belongs to a later phase.`;
    reasons.push({ code: 'wrong_phase', level: 3, text });
  }
  if (personaTools !== undefined && !personaTools.some((pattern) => matchesTool(name, pattern))) {
    const text = `${name} is not among the tools of the task’s persona.`;
    reasons.push({ code: 'not_in_persona', level: 3, text });
  }
  return reasons;
}

function callReasons(call: Call, contract: Contract | undefined, ground: Ground): Reason[] {
  const reasons: Reason[] = [];
  if (call.foreign !== undefined) {
    const text = `${call.foreign} loads other code into the process that judges, so it judges nothing. Start the agent without it.`;
    reasons.push({ code: 'foreign_code', level: 3, text });
  }
  if (call.definition === 'changed') {
    const text =
      'The server changed the description or the schema of this tool, so it is a new tool until a person accepts it ("hone gateway accept").';
    reasons.push({ code: 'definition_changed', level: 3, text });
  }
  if (call.definition === 'unlisted') {
    const text = 'The server does not list such a tool.';
    reasons.push({ code: 'not_listed', level: 3, text });
  }
  if (call.misfit !== undefined) {
    const text = `The arguments do not fit the tool’s input schema: ${call.misfit}.`;
    reasons.push({ code: 'bad_arguments', level: 3, text });
  }
  const destruction = destructionIn(call.arguments);
  if (destruction !== undefined) {
    const text = `The call destroys what cannot be brought back: ${destruction}.`;
    reasons.push({ code: 'destructive', level: 3, text });
  }
  const max = contract?.maxArguments ?? UNKNOWN_ARGUMENTS_MAX;
  if (ground.argumentsBytes > max) {
    const text = `The arguments are ${ground.argumentsBytes} bytes; the limit is ${max}.`;
    reasons.push({ code: 'arguments_too_large', level: 3, text });
  } else if (contract !== undefined) reasons.push(...limitReasons(call.arguments, contract));
  return reasons;
}

/** A mark says of a session that the first half of a combination happened. */
export function markOf({ name }: Pick<Combination, 'name'>): string {
  return `after:${name}`;
}

function marksOf(name: string, { combinations, secretPath }: Ground): string[] {
  return combinations
    .filter(({ after }) =>
      after === 'secret' ? secretPath !== undefined : matchesAnyCase(name, after),
    )
    .map(markOf);
}

interface Combined {
  readonly name: string;
  readonly sends: Sending;
  readonly marks: readonly string[];
  readonly history: History;
  readonly ground: Ground;
}

/**
 * The first half may be this very call: a tool that reads a secret and may send it does both at once. A tool that
 * only may send is for a person to judge, unless what it is given holds a secret.
 */
function combinationReasons({ name, sends, marks, history, ground }: Combined): Reason[] {
  const reasons: Reason[] = [];
  if (sends !== 'never' && history.argumentsHoldSecret) {
    const level = sends === 'always' ? 3 : 2;
    reasons.push({
      code: 'secret_sent',
      level,
      text: `What ${name} is given holds a secret, and it ${sends === 'always' ? 'sends' : 'may send'} it out.`,
    });
  }
  for (const combination of ground.combinations) {
    const mark = markOf(combination);
    const isSecond =
      combination.next === 'sends' ? sends !== 'never' : matchesAnyCase(name, combination.next);
    // A tool does not follow itself by its name alone; a read and a send in one call do.
    const atOnce =
      combination.after === 'secret' && combination.next === 'sends' && marks.includes(mark);
    if (!isSecond || !(history.marks.has(mark) || atOnce)) continue;
    const isCertain = combination.next !== 'sends' || sends === 'always';
    const level = combination.level === 'block' && isCertain ? 3 : 2;
    const first =
      combination.after === 'secret'
        ? 'something secret was read'
        : `${combination.after} was called`;
    const text = `The combination ${combination.name}: ${first} in this session, and ${name} ${then(combination, sends)}.`;
    reasons.push({ code: 'combination', level, text });
  }
  return reasons;
}

function then(combination: Combination, sends: Sending): string {
  if (combination.next !== 'sends') return `matches ${combination.next}`;
  return sends === 'always' ? 'sends data out' : 'may send data out';
}
