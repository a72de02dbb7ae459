/**
 * The names of arguments that a tool takes, from where they can be relied on: a schema in the target's files, the definition of the tool
 * that agents were given, and what calls that succeed are made with. Never from a message. Pure.
 */
import type { RecentCall } from '../../../facts/index.ts';
import { quotedName } from '../../../text/index.ts';
import { sameName, shown } from '../../wording.ts';
import type { NameGroup } from './name-groups.ts';

export interface TakenNames {
  readonly names: ReadonlySet<string>;
  /** What says so, as the beginning of a sentence. */
  readonly from: string;
  /** Whether they are arguments without a doubt, and not some other words of a schema. */
  readonly isSure: boolean;
}

/** Keys under which JSON Schema, OpenAPI and the interfaces of models have the names of arguments. */
const ARGUMENT_KEYS = /^(?:arg(?:ument)?s?|inputs?|param(?:eter)?s?|properties|required)$/i;

/** One call that works may be another kind of call. */
const WORKING_MIN = 5;

export function takenNames(
  tool: string,
  {
    groups,
    calls,
    not,
  }: {
    readonly groups: readonly NameGroup[];
    /** Of this tool, by whomever, in the order in which they began. */
    readonly calls: readonly RecentCall[];
    /** The list that is to be corrected. */
    readonly not?: NameGroup;
  },
): TakenNames[] {
  const inFiles = groups
    .filter((group) => group !== not && isSchemaOf(group, tool))
    .map(({ names, file, key }) => ({
      names,
      isSure: ARGUMENT_KEYS.test(key),
      from: `The schema of ${quotedName(tool)} in ${shown(file, 120)}`,
    }));
  return [...inFiles, ...definitionOf(tool, calls), ...workingOf(tool, calls)];
}

/** As it was given last. */
function definitionOf(tool: string, calls: readonly RecentCall[]): TakenNames[] {
  const names = calls.findLast(
    ({ parameterNames = [] }) => parameterNames.length > 0,
  )?.parameterNames;
  const from = `The definition of ${quotedName(tool)} that agents are given`;
  return names === undefined ? [] : [{ names: new Set(names), from, isSure: true }];
}

/** What calls succeed with while others fail. */
function workingOf(tool: string, calls: readonly RecentCall[]): TakenNames[] {
  const sinceMs = calls.find(({ failedWith }) => failedWith !== null)?.startMs ?? Infinity;
  const working = Map.groupBy(
    calls.filter(({ failedWith, startMs }) => failedWith === null && startMs > sinceMs),
    ({ argumentNames = [] }) => JSON.stringify(argumentNames.toSorted()),
  );
  const from = `What calls of ${quotedName(tool)} succeed with`;
  return [...working].flatMap(([key, some]) => {
    const names = JSON.parse(key) as string[];
    const isKnown = names.length > 0 && some.length >= WORKING_MIN;
    return isKnown ? [{ names: new Set(names), from, isSure: true }] : [];
  });
}

/** Whether it stands at a place with the tool's name. Names beside that name are other tools. */
function isSchemaOf({ file, settings, names }: NameGroup, tool: string): boolean {
  if ([...names].some((name) => sameName(name, tool))) return false;
  const [first] = settings;
  const parts = file.split('/').map((part) => part.replace(/(?:\.[A-Za-z]+)+$/, ''));
  return (
    parts.some((part) => sameName(part, tool)) ||
    first!.steps.some(
      ({ key, name }) => sameName(key, tool) || (name !== null && sameName(name, tool)),
    )
  );
}
