/** What commands are built of: leaves, branches, and the arguments that are checked before any code of a command loads. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Context } from './context.ts';

export type Action = (context: Context, ...parameters: never[]) => Promise<number>;
/** A command's code is loaded when it runs. */
export type Wrap = (load: () => Promise<Action>) => (...given: unknown[]) => Promise<void>;

export function leaf(
  parent: Command,
  name: string,
  description: string,
  options: { readonly isDefault?: boolean } = {},
): Command {
  return parent
    .command(name, options)
    .description(description)
    .option('--json', 'print one JSON document')
    .exitOverride();
}

export function branch(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description).exitOverride();
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (/^\d{1,15}$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('It must be a whole number, 0 or more.');
}

export function countingNumber(text: string): number {
  const value = wholeNumber(text);
  if (value > 0) return value;
  throw new InvalidArgumentError('It must be a whole number, 1 or more.');
}

export function portNumber(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
}

export function oneOf<T extends string>(words: readonly T[]): (text: string) => T {
  return (text) => {
    const word = words.find((one) => one === text);
    if (word !== undefined) return word;
    throw new InvalidArgumentError(`It must be one of: ${words.join(', ')}.`);
  };
}
