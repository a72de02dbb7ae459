/** `npm run generate`: renews the generated references under `docs/reference/`. */
import { writeFileSync } from 'node:fs';
import { renderConfigReference } from '../src/config/index.ts';
import { honeSections } from '../src/loop/sections.ts';
import { databaseUrl, makeTemplate, TEMPLATE } from '../test/postgres-database.ts';
import { startPostgres } from '../test/postgres-server.ts';
import { commandReference } from './reference/commands.ts';
import { configDigestSource } from './reference/config-digest.ts';
import { eventReference } from './reference/events.ts';
import { httpReference } from './reference/http.ts';
import { postgresSchema, sqliteSchema } from './reference/schema.ts';

const write = (name: string, text: string) => {
  writeFileSync(new URL(`../docs/reference/${name}`, import.meta.url), text);
  process.stdout.write(`docs/reference/${name}\n`);
};

write('configuration.md', renderConfigReference(honeSections));
writeFileSync(
  new URL('../src/loop/config-digest.ts', import.meta.url),
  configDigestSource(renderConfigReference(honeSections)),
);
write('commands.md', commandReference());
write('events.md', eventReference());
write('http.md', httpReference());
write('schema-sqlite.md', sqliteSchema());
const server = await startPostgres();
try {
  await makeTemplate(server.url);
  write('schema-postgres.md', await postgresSchema(databaseUrl(server.url, TEMPLATE)));
} finally {
  await server.stop();
}
