import { describe, expect, test } from 'vitest';
import { cron, hostName, origin, resolveStore, storeUrl, timeZone } from './value-types.ts';

function accepted(type: { safeParse(value: unknown): { success: boolean } }, values: unknown[]) {
  return values.filter((value) => type.safeParse(value).success);
}

describe('cron expressions', () => {
  test('five fields, names, steps, ranges and nicknames are taken', () => {
    const good = [
      '0 1 * * *',
      '*/5 * * * *',
      '0 6 * * 0',
      '0 9 * * MON-FRI',
      '0 0 1,15 1-6 *',
      '0 0 L * *',
      '0 0 29 2 *',
      '@daily',
      '@hourly',
    ];
    expect(accepted(cron(), good)).toEqual(good);
  });

  test('everything else is refused', () => {
    const bad = [
      '',
      ' ',
      '* * * *',
      '* * * * * *',
      '60 * * * *',
      '0 24 * * *',
      '0 0 32 * *',
      '0 0 31 2 *',
      '0 0 * 13 *',
      '0 0 * * 8',
      'a b c d e',
      '2030-01-01T00:00:00',
      '@reboot',
      '@Daily',
      `${'0,'.repeat(500)}0 * * * *`,
      5,
    ];
    expect(accepted(cron(), bad)).toEqual([]);
  });
});

test('time zones are names of the IANA database', () => {
  const good = ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+1'];
  const bad = ['', 'Mars/Phobos', '+01:00', 'europe/berlin', '../etc', 'CEST+1', 1];
  expect(accepted(timeZone(), [...good, ...bad])).toEqual(good);
});

test('hosts and origins are nothing more', () => {
  expect(accepted(hostName(), ['127.0.0.1', '::1', 'hone.example', 'a b', 'http://a', ''])).toEqual(
    ['127.0.0.1', '::1', 'hone.example'],
  );
  const origins = [
    'https://a.example',
    'http://localhost:1',
    'https://a.example/',
    'a.example',
    '*',
  ];
  expect(accepted(origin(), origins)).toEqual(origins.slice(0, 2));
});

describe('the store', () => {
  test('is named by sqlite, an environment variable or a URL', () => {
    const good = ['sqlite', 'env:HONE_DATABASE_URL', 'postgres://db/hone', 'postgresql://u@db:1/x'];
    const bad = ['', 'env:', 'env:A B', 'mysql://db', 'postgres', 'postgres://db:port/x', '/a.db'];
    expect(accepted(storeUrl(), [...good, ...bad])).toEqual(good);
  });

  test('is resolved with the environment, and failures never show its values', () => {
    const env = { URL: 'postgres://u:hunter2@db/x', BAD: 'mysql://u:hunter2@db', EMPTY: '' };
    expect(resolveStore('sqlite', env)).toEqual({ ok: true, engine: 'sqlite' });
    expect(resolveStore('env:URL', env)).toEqual({ ok: true, engine: 'postgres', url: env.URL });
    expect(resolveStore('postgres://db/x', env)).toMatchObject({ ok: true, engine: 'postgres' });
    for (const name of ['BAD', 'EMPTY', 'MISSING']) {
      const result = resolveStore(`env:${name}`, env);
      expect(result).toMatchObject({ ok: false, message: expect.stringContaining(name) });
      expect(JSON.stringify(result)).not.toContain('hunter2');
    }
  });
});
