/** `node lab/write-schema.ts`: renews `scenario.schema.json` from the schema in the code. */
import { writeFileSync } from 'node:fs';
import { scenarioJsonSchema } from './scenario.ts';

const file = new URL('scenario.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`);
