/** The scenarios that come with Hone, also in the published package. */
import { readFileSync } from 'node:fs';
import { readScenario, type Scenario } from './scenario.ts';

const SCENARIO_FOLDER = new URL('./scenarios/', import.meta.url);

export function bundledScenario(name: string): Scenario {
  const file = new URL(`${name}.yaml`, SCENARIO_FOLDER);
  const reading = readScenario(readFileSync(file, 'utf8'), `${name}.yaml`);
  if (reading.ok) return reading.scenario;
  throw new Error(reading.problems.join('\n'));
}
