/** Help that fits the terminal; the text for each command is in `program.ts`. */
import type { Command } from 'commander';
import type { Io } from './io.ts';
import { field, fields, proseColumns, wrap } from './layout.ts';

/** For the program and every command that is added to it from then on. */
export function layOutHelp(program: Command, io: () => Io): void {
  program
    .addHelpText('after', ({ error }) => {
      const { columns, errorColumns } = io();
      return `\n${firstSteps(error ? errorColumns : columns)}`;
    })
    .configureOutput({
      outputError: () => {}, // `runCli` says it
      writeOut: (text) => io().out(text),
      writeErr: (text) => io().err(text),
      getOutHelpWidth: () => proseColumns(io().columns),
      getErrHelpWidth: () => proseColumns(io().errorColumns),
    })
    // Commander alone would rather run over the edge than break what has less room than 40 columns.
    .configureHelp({
      minWidthToWrap: 0,
      formatItem: (term, labelWidth, description, { helpWidth: columns = Infinity }) =>
        field([term, description], { labelWidth, columns, indent: '  ' }).trimEnd(),
    });
}

const FIRST_STEPS = [
  ['hone look ~/.claude', 'see what recurs in what you have'],
  ['hone init', 'set it up'],
  ['hone status', 'see how things stand'],
  ['hone cycle', 'look for what fails and propose a fix'],
  ['hone up', 'start it; it then works by itself'],
] as const;

function firstSteps(columns: number): string {
  return [
    wrap('First steps, in the repository that defines your agents:', columns),
    fields(FIRST_STEPS, columns, '  '),
    wrap('See it work first, in a throw-away repository:', columns),
    '  hone demo\n\n',
    wrap(
      'Every command takes --json. Exit codes: 0 done, 1 the check says no, 2 usage or configuration, 3 the store is newer than this Hone, 4 a fault.',
      columns,
    ).trimEnd(),
  ].join('');
}
