/**
 * Calls of tools in a conversation that was kept as messages: what the assistant asked for, and what the tool
 * answered. Three forms: `tool_calls` with messages of the role `tool`, the older `function_call` with `function`,
 * and content blocks (`tool_use`, `tool_result`).
 */
import {
  argumentsOf,
  bytesOf,
  type Fields,
  fieldsIn,
  fieldsOf,
  isFields,
  listOf,
  nameOf,
  textOf,
} from '../../reading/values.ts';

export interface ChatCall {
  readonly tool: string;
  readonly arguments: unknown;
  /** Undefined if there is no answer. */
  readonly answer: unknown;
  readonly isError: boolean | undefined;
}

const MESSAGES_MAX = 5000;

/** Only calls that were answered: of the others nobody knows how they ended. */
export function answeredCalls(messages: readonly unknown[]): readonly ChatCall[] {
  const calls = new Map<string, { tool: string; arguments: unknown }>();
  const answered: ChatCall[] = [];
  for (const message of messages.slice(0, MESSAGES_MAX).filter(isFields)) {
    for (const [id, call] of callsOf(message)) calls.set(id, call);
    for (const { id, answer, isError } of answersOf(message)) {
      const call = calls.get(id);
      if (call === undefined) continue;
      calls.delete(id);
      answered.push({ ...call, answer, isError });
    }
  }
  return answered;
}

function* callsOf(message: Fields): Generator<[string, { tool: string; arguments: unknown }]> {
  for (const one of listOf(message['tool_calls']).filter(isFields)) {
    const made = fieldsOf(one['function']) ?? fieldsOf(one['custom']) ?? one;
    const tool = nameOf(made['name']);
    if (tool !== undefined)
      yield [String(one['id']), { tool, arguments: made['arguments'] ?? made['input'] }];
  }
  const old = fieldsOf(message['function_call']);
  const tool = nameOf(old?.['name']);
  if (tool !== undefined) yield [`function ${tool}`, { tool, arguments: old!['arguments'] }];
  for (const block of listOf(message['content']).filter(isFields)) {
    const name = nameOf(block['name']);
    if (block['type'] === 'tool_use' && name !== undefined)
      yield [String(block['id']), { tool: name, arguments: block['input'] }];
  }
}

function* answersOf(
  message: Fields,
): Generator<{ id: string; answer: unknown; isError: boolean | undefined }> {
  const { content } = message;
  if (message['role'] === 'tool')
    yield { id: String(message['tool_call_id']), answer: plain(content), isError: undefined };
  if (message['role'] === 'function')
    yield { id: `function ${nameOf(message['name'])}`, answer: plain(content), isError: undefined };
  for (const block of listOf(content).filter(isFields)) {
    if (block['type'] !== 'tool_result') continue;
    const isError = block['is_error'] === true ? true : undefined;
    yield { id: String(block['tool_use_id']), answer: plain(block['content']), isError };
  }
}

/** Blocks of text as one text. */
function plain(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  const texts = content.filter(isFields).map((block) => block['text']);
  return texts.filter((text) => typeof text === 'string').join('\n');
}

/** What a call's event tells. An answer that says it is an error is one: by a key, or by its first word. */
export function callFields({ tool, arguments: given, answer, isError }: ChatCall) {
  const said = textOf(answer);
  const failure = isError === true ? (said ?? 'The tool returned an error.') : failureIn(said);
  return {
    tool,
    success: failure === undefined,
    errorMessage: failure,
    outputBytes: bytesOf(answer),
    ...argumentsOf(given),
  };
}

function failureIn(answer: string | undefined): string | undefined {
  if (answer === undefined) return undefined;
  const fields = fieldsIn(answer);
  if (fields !== undefined) {
    const error = fields['error'] ?? fields['errors'] ?? fields['exception'];
    const flag =
      fields['isError'] === true ||
      fields['is_error'] === true ||
      fields['success'] === false ||
      fields['ok'] === false;
    if (error !== undefined && error !== null && error !== false && error !== '')
      return textOf(fieldsOf(error)?.['message'] ?? error);
    return flag ? (textOf(fields['message']) ?? answer) : undefined;
  }
  return /^\s{0,8}(?:[\w.]{0,60}(?:error|exception)\b|traceback \(most|failed\b|fatal\b)/i.test(
    answer.slice(0, 120),
  )
    ? answer
    : undefined;
}
