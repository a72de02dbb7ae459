/** A database URL carries a secret; nothing that people or logs see does. */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { errorStatus } from '../../contracts/error-table.ts';
import { allMigrations, StoreError } from '../index.ts';
import { readAddress } from './address.ts';
import { openPostgres } from './store.ts';

const UNCLEAR = 'postgres://…';

describe('what is shown of a URL', () => {
  test.each([
    ['postgres://hone:SECRET@db:5432/hone', 'postgres://hone@db:5432/hone'],
    ['postgresql://hone:SECRET@db/hone', 'postgresql://hone@db/hone'],
    ['postgres://hone:TOP@SECRET@127.0.0.1:1/db', 'postgres://hone@127.0.0.1:1/db'],
    ['postgres://hone:TOP:SECRET@db/hone', 'postgres://hone@db/hone'],
    ['postgres://hone:TOP\\SECRET@db/hone', 'postgres://hone@db/hone'],
    ['postgres://hone:TOP%2FSECRET@db/hone', 'postgres://hone@db/hone'],
    ['postgres://:SECRET@db/hone', 'postgres://db/hone'],
    ['postgres://hone:SECRET@[::1]:5432/hone', 'postgres://hone@[::1]:5432/hone'],
    ['postgres://hone:SECRET@/hone?host=/run/pg', 'postgres://hone@/hone?host=/run/pg'],
    ['postgres:///hone?host=/run/pg&password=SECRET', 'postgres:///hone?host=/run/pg'],
    ['postgres://db/hone?PASSWORD=SECRET&port=1', 'postgres://db/hone?port=1'],
    ['postgres://db/hone?pass%77ord=SECRET', 'postgres://db/hone'],
    ['postgres://db/hone?sslkey=SECRET&sslmode=require', 'postgres://db/hone?sslmode=require'],
    ['postgres://db/hone?sslpassword=SECRET#SECRET', 'postgres://db/hone'],
    ['postgres://db/hone?host=%1b%5b2J', 'postgres://db/hone?host=%1B%5B2J'],
    ['postgres://hone:SECRET word@db/hone', 'postgres://hone@db/hone'],
    ['postgres://hone@db/hone', 'postgres://hone@db/hone'],
  ])('%s', (url, shown) => {
    expect(readAddress(url)).toMatchObject({ shown, isClear: true });
  });

  test.each([
    'postgres://hone:TOP/SECRET@db/hone',
    'postgres://hone:12/SECRET@db/hone',
    'postgres://hone:12?SECRET@db/hone',
    'postgres://hone:12?host=SECRET&a=b@db/hone',
    'postgres://hone:12#SECRET@db/hone',
    'postgres://hone:TOP@SEC/RET@db/hone',
    'postgres://hone:TOP@/SECRET@db/hone',
    'postgres://hone:SECRET@db:port/hone',
    'postgres://hone:SECRET@a:1,b:2/hone',
    'postgres://hone:SECRET@',
    'hone:SECRET@db/hone',
    'SECRET:hone@db',
    'host=db user=hone password=SECRET',
    '/run/pg SECRET',
    'SECRET',
    '',
  ])('nothing of one that cannot be read for sure: %s', (url) => {
    expect(readAddress(url)).toMatchObject({ shown: UNCLEAR, isClear: false });
  });
});

describe('what is said when it cannot be opened', () => {
  const failure = async (url: string) => {
    const error = await openPostgres({ url, migrations: allMigrations }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(StoreError);
    return error as StoreError;
  };

  test.each([
    'postgres://hone:TOP@SECRET@127.0.0.1:1/db',
    'postgres://hone:SECRET@127.0.0.1:1/db',
    'postgres://hone:%53ECRET@127.0.0.1:1/db?password=SECRET',
    'postgres://hone:x@127.0.0.1:1/db?sslkey=SECRET',
    'postgres://hone:12/SECRET@127.0.0.1:1/db',
    'postgres://hone:TOP/SECRET@127.0.0.1:1/db',
    'postgres://hone:SECRET@127.0.0.1:port/db',
    'postgres://hone:SECRET%@127.0.0.1:1/db',
    'postgres://hone:SECRET@127.0.0.1:1/%E0%A4%A',
  ])('%s', async (url) => {
    const error = await failure(url);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/SECRET|TOP|%53/);
    expect(error.code).toBe('unreachable');
    expect(errorStatus(error).exit).toBe(4);
  });

  test('a certificate that is not there is named: it is no secret', async () => {
    const error = await failure('postgres://hone:SECRET@127.0.0.1:1/db?sslrootcert=/no/ca.pem');
    expect(error.message).toContain("open '/no/ca.pem'");
  });

  test('a password that makes the URL unreadable is told, with what to do', async () => {
    const error = await failure('postgres://hone:12/SECRET@db/hone');
    expect(error.message).toBe('The database URL cannot be read.');
    expect(error.hint).toBe(
      'Write the special characters of its password as %XX: @ is %40, / is %2F, ? is %3F, # is %23.',
    );
  });
});
