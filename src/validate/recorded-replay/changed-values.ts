/**
 * The numbers that a change replaces, where it does nothing else: the bytes of every file are those of the base with
 * these values in place of the old ones. What a change does besides could do anything, and is not guessed. Pure.
 */
import {
  type DocumentValue,
  type Node,
  type Quantity,
  readDocument,
  type Step,
} from '../../document/index.ts';
import { shownPath } from '../../git/index.ts';
import type { TouchedFile } from '../types.ts';

export interface ChangedValue {
  readonly file: string;
  readonly path: readonly string[];
  readonly from: Quantity;
  readonly to: Quantity;
  /** What the way to it names: keys, what maps on it call themselves, the file. As `plainName` writes them. */
  readonly names: ReadonlySet<string>;
  /**
   * What lies beside that way and has such a value of its own: other keys of the maps on it, other items of its lists. A part without
   * one is nobody else: `[bot] name = "booker"` beside `[tools.web_search]` says whose all of it is.
   */
  readonly beside: ReadonlySet<string>;
}

/** `why` goes on after "The ready replay cannot play this change: ". */
export type ChangedValues =
  | { readonly ok: true; readonly values: readonly ChangedValue[] }
  | { readonly ok: false; readonly why: string };

export function changedValues(files: readonly TouchedFile[]): ChangedValues {
  const values: ChangedValue[] = [];
  for (const file of files) {
    const found = valuesIn(file);
    if (found === undefined)
      return {
        ok: false,
        why: `it does more to ${shownPath(file.path)} than replace numbers at their places.`,
      };
    values.push(...found);
  }
  return { ok: true, values };
}

/** `Web-Search` and `web_search` are the same tool to their readers. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ .]/g, '_');
}

function valuesIn({ path, before, after }: TouchedFile): readonly ChangedValue[] | undefined {
  const [old, now] = [before?.text, after?.text];
  if (old === undefined || now === undefined) return undefined;
  const [read, reread] = [readDocument(path, old), readDocument(path, now)];
  if (!read.ok || !reread.ok) return undefined;
  const [olds, news] = [read.document.values, reread.document.values];
  if (olds.length !== news.length) return undefined;
  const replaced = olds.flatMap((from, at) =>
    from.text === news[at]!.text ? [] : [{ from, to: news[at]! }],
  );
  if (replaced.length === 0 || withReplaced(old, replaced) !== now) return undefined;
  const changed = replaced.map(({ from, to }) => {
    if (from.quantity === null || to.quantity === null) return undefined;
    const ways = read.document.places.filter(({ value }) => value.start === from.start);
    const named = [
      path.replace(/^.*\//, '').replace(/\.[^.]*$/, ''),
      ...selfNames(read.document.roots[from.document]),
      ...ways.flatMap(({ steps }) => steps.flatMap(namesOfStep)),
    ];
    return {
      ...{ file: path, path: from.path, from: from.quantity, to: to.quantity },
      names: new Set(named.map(plainName)),
      beside: new Set(
        ways
          .flatMap(({ steps, document }) => {
            const holders = [read.document.roots[document]!, ...steps.map(({ node }) => node)];
            const name = steps.findLast((_, at) => holders[at]!.kind === 'map')?.key ?? '';
            return steps.flatMap((step, at) => besideStep(holders[at]!, step, name));
          })
          .map(plainName),
      ),
    };
  });
  return changed.every((one) => one !== undefined) ? changed : undefined;
}

interface Replacement {
  readonly from: DocumentValue;
  readonly to: DocumentValue;
}

function withReplaced(text: string, replaced: readonly Replacement[]): string {
  let [made, at] = ['', 0];
  for (const { from, to } of replaced) {
    made += text.slice(at, from.start) + to.text;
    at = from.end;
  }
  return made + text.slice(at);
}

const namesOfStep = ({ key, node }: Step): string[] => [key, ...selfNames(node)];

function besideStep(holder: Node, taken: Step, name: string): string[] {
  if (holder.kind === 'value') return [];
  const isOwn = (node: Node) => taken.node.kind === 'value' || hasValue(node, name);
  if (holder.kind === 'list')
    return holder.items.flatMap(({ node }) =>
      node === taken.node || !isOwn(node) ? [] : selfNames(node),
    );
  return holder.entries.flatMap(({ key, node }) =>
    key === taken.key || !isOwn(node) ? [] : [key, ...selfNames(node)],
  );
}

/** Somewhere below, under this name. */
function hasValue(node: Node, name: string): boolean {
  if (node.kind === 'value') return false;
  if (node.kind === 'list') return node.items.some((item) => hasValue(item.node, name));
  return node.entries.some(
    (entry) => plainName(entry.key) === plainName(name) || hasValue(entry.node, name),
  );
}

/** What a map calls itself. */
function selfNames(node: Node | undefined): string[] {
  if (node?.kind !== 'map') return [];
  return node.entries.flatMap(({ key, node: value }) =>
    (key === 'name' || key === 'id') && value.kind === 'value' && typeof value.value === 'string'
      ? [value.value]
      : [],
  );
}
