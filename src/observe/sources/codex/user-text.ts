/** What a person typed, and where an old rollout says that it works. */
import { contentText, type Fields, fieldsOf, listOf, textOf } from '../transcripts/values.ts';

/** Context that Codex puts into a user's message: tags of two words, instructions of the project. */
const ADDED = /^\s{0,20}(?:<\/?[a-z]{1,30}(?:[-_ ][a-z]{1,30}){1,4}[\s>]|# AGENTS\.md\b)/i;
const COMMAND = /^\s{0,20}\/[a-z][\w:-]{0,60}(?:\s|$)/i;
/** An editor puts what is open before what was typed. */
const REQUEST = '## My request for Codex:';

export function typedText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const at = text.indexOf(REQUEST);
  const typed = (at === -1 ? text : text.slice(at + REQUEST.length)).trim();
  if (typed === '' || ADDED.test(typed.slice(0, 200)) || COMMAND.test(typed.slice(0, 100)))
    return undefined;
  return typed;
}

/** Of `item_completed`, by which newer releases record what was said. */
export function itemText(payload: Fields): string | undefined {
  const item = fieldsOf(payload['item']);
  const type = textOf(item?.['type']);
  if (type !== 'UserMessage' && type !== 'user_message') return undefined;
  return typedText(textOf(item?.['message']) ?? contentText(item?.['content']));
}

const OPEN = '<cwd>';
const CLOSE = '</cwd>';
const HEAD_CHARS = 4000;

/** Before September 2025 only the first message said it. */
export function cwdIn(payload: Fields): string | undefined {
  for (const block of listOf(payload['content'])) {
    const text = textOf(fieldsOf(block)?.['text'])?.slice(0, HEAD_CHARS) ?? '';
    if (!text.trimStart().startsWith('<environment_context>')) continue;
    const from = text.indexOf(OPEN);
    const to = from === -1 ? -1 : text.indexOf(CLOSE, from);
    if (to !== -1) return textOf(text.slice(from + OPEN.length, to).trim());
  }
  return undefined;
}
