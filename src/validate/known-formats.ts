/**
 * What values mean in formats whose vendors say so, where that differs from what their places suggest (rule 8).
 *
 * Claude's permissions: `allow`, `ask` and `deny` side by side. A rule more that asks, and a rule less that allows, grant
 * nothing; a rule less that asks does, because what nobody asks about any more may be allowed. OpenAI's `tool_choice`: from
 * `none` to anything else, or left out (then it is `auto`), the model may call tools. A list of tools as models are told of
 * them is one under any key, or under none: each has its schema.
 */
import {
  isItem,
  isOff,
  type StructureChanges,
  type ValueChange,
  wordsOf,
} from './structure-changes.ts';

type Sound = StructureChanges & { readonly ok: true };

/** Where the key of a list of Claude's permissions is, and which it is. */
function claudeList(path: readonly string[], sound: Sound): string | undefined {
  const keys = path.filter((one) => !isItem(one));
  const [parent, list] = keys.slice(-2);
  if (parent !== 'permissions' || list === undefined) return undefined;
  if (list === 'additionalDirectories') return list;
  const above = path.slice(0, path.lastIndexOf(parent) + 1);
  const others = ['allow', 'ask', 'deny'].filter((one) => one !== list);
  // One word alone is anybody's; two side by side are this format's.
  const isClaudes = others.some(
    (one) => sound.exists([...above, one]) || sound.existed([...above, one]),
  );
  return isClaudes ? list : undefined;
}

/** Known to give nothing, whatever its place looks like. */
export function givesNothing(change: ValueChange, sound: Sound): boolean {
  const list = claudeList(change.path, sound);
  if (list === 'ask') return change.kind === 'added';
  if (list !== 'allow' && list !== 'additionalDirectories') return false;
  const isList = !isItem(change.path.at(-1) ?? '');
  return isList && change.to !== null && isOff(change.to);
}

/** Known to give something, although its place does not say so. */
export function givesSomething(change: ValueChange, sound: Sound): boolean {
  const { kind, path, from, to } = change;
  const key = path.at(-1);
  if (key === undefined) return false;
  if (kind === 'added' && isNewTool(path, sound)) return true;
  if (isItem(key)) return kind === 'removed' && claudeList(path, sound) === 'ask';
  return wordsOf(key).join('') === 'toolchoice' && from === 'none' && to !== 'none';
}

/** By these a model is told how a tool is called: by Anthropic, MCP and OpenAI. */
const SCHEMA_KEYS = ['input_schema', 'inputSchema', 'parameters'];
/** Parameters of something else have names of their own there. */
const IN_SCHEMA = 'type';

/** An entry of a list that was not there before and has a name and a schema. */
function isNewTool(path: readonly string[], sound: Sound): boolean {
  const at = path.findLastIndex(isItem);
  if (at < 0) return false;
  const entry = path.slice(0, at + 1);
  const key = path.at(-1)!;
  const isName = key === 'name' && path.length - entry.length <= 2;
  if (!isName || sound.existed(entry)) return false;
  return SCHEMA_KEYS.some((one) => sound.exists([...path.slice(0, -1), one, IN_SCHEMA]));
}
