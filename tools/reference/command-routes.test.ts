/** Everything that the command line can do has a route, or a reason why not. */
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { captureIo } from '../../src/cli/captured-io.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { makeContext } from '../../src/compose/context.ts';
import { processSurroundings } from '../../src/compose/surroundings.ts';
import { API_ROUTES, EVENTS_ROUTE, EXPORT_ROUTE } from '../../src/http/route-table.ts';
import { COMMAND_ROUTES } from './command-routes.ts';

const commands = leaves(
  buildProgram(
    undefined,
    (json) => makeContext(json, 'test', { ...processSurroundings(), io: captureIo().io }),
    () => {},
  ),
);
const routes = [...API_ROUTES, EXPORT_ROUTE, EVENTS_ROUTE].map(
  ({ method, path }) => `${method} ${path}`,
);

function leaves(command: Command, words: readonly string[] = []): string[] {
  return command.commands
    .filter((one) => one.name() !== 'help')
    .flatMap((one) => {
      const name = [...words, one.name()];
      return one.commands.length === 0 ? [name.join(' ')] : leaves(one, name);
    });
}

test('every command is in the list, and the list names no other', () => {
  expect(commands.length).toBeGreaterThan(90);
  expect(Object.keys(COMMAND_ROUTES).toSorted()).toEqual(commands.toSorted());
});

test('every route that stands for a command exists', () => {
  const named = Object.values(COMMAND_ROUTES).filter((one) => typeof one !== 'string');
  expect(named.flat().filter((one) => !routes.includes(one))).toEqual([]);
});
