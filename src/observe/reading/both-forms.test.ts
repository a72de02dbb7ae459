import { expect, test } from 'vitest';
import { auditLog } from '../sources/audit-log/audit-log.ts';
import { MemoryFiles } from '../telemetry.test-support.ts';

test('each file of a folder is read in one form, by its name', async () => {
  const names = ['a.json', 'b.jsonl', 'c.log', 'd.json.1'];
  const files = new MemoryFiles().folder('logs', names);
  for (const name of names) files.append(`logs/${name}`, '{}\n');
  const asked: string[] = [];
  const ports = {
    clean: (text: string) => text,
    files: {
      list: async (path: string, wanted: { extensions: readonly string[] }) => {
        asked.push(wanted.extensions.join());
        const listing = await files.list(path, wanted);
        return { ...listing, notes: ['said once'] };
      },
      open: (path: string) => files.open(path),
    },
  };
  const listing = await auditLog.open({ path: 'logs' }, ports).list();
  expect(listing).toMatchObject({ exists: true, count: 4, notes: ['said once'] });
  expect(listing.streams).toHaveLength(4);
  expect(asked).toEqual(['json', 'log,jsonl,ndjson']);
});
