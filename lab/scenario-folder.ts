/** The scenarios of a folder and the folders in it; the first folder below is the set that they count in. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { readScenario, type Scenario } from './scenario.ts';

interface Listed {
  readonly scenario: Scenario;
  /** Such as `seen`; undefined for a file of the folder itself. */
  readonly set: string | undefined;
}

export function readScenarios(folder: string): Listed[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const listed = files
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => {
      const file = join(folder, name);
      const reading = readScenario(readFileSync(file, 'utf8'), relative(folder, file));
      if (!reading.ok) throw new Error(`${folder}:\n${reading.problems.join('\n')}`);
      const [set] = name.split(sep);
      return { scenario: reading.scenario, set: set === basename(name) ? undefined : set };
    });
  const names = listed.map(({ scenario }) => scenario.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${folder}: two scenarios are called ${twice}`);
  return listed;
}
