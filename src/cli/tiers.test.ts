/** `hone tiers` and what `hone status` says of it. */
import { expect, test } from 'vitest';
import { makeInstallation } from '../../test/cli.ts';
import * as contracts from '../contracts/index.ts';

test('HLTH-4 no tier is switched on before a stable baseline, unless an operator says so', async () => {
  using here = makeInstallation({ inProcess: true });
  await here.stateDir();
  const on = ['tiers', 'on', 'auto', '--reason', 'a trial'];
  const without = await here.hone(...on, '--even-unstable');
  expect([without.exit, without.err]).toEqual([1, expect.stringContaining('Only an operator')]);
  const early = await here.honeAsOperator(...on);
  expect([early.exit, early.err.replace(/\s+/g, ' ')]).toEqual([
    1,
    expect.stringContaining('The baseline is not stable: 0 of 7 days with at least 50 calls'),
  ]);
  const set = contracts.tierSetJson.parse(
    (await here.honeAsOperator(...on, '--even-unstable', '--json')).json(),
  );
  expect(set).toMatchObject({
    tiers: [
      { tier: 'auto', decides: 'hone' },
      { tier: 'notify', decides: 'person' },
    ],
    baseline: { verdict: 'too_short' },
    limit: 3,
  });
  const status = (await here.hone('status')).out.replace(/\s+/g, ' ');
  expect(status).toContain('Decides HONE BY ITSELF at tier auto');
  expect(status).toContain('Baseline too short, 0 of 7 days');
  const entries = contracts.ledgerShowJson.parse(
    (await here.hone('ledger', 'show', '--subject', 'hone:automatic', '--json')).json(),
  ).entries;
  expect(JSON.stringify(entries)).toContain('a trial (the baseline is not stable');
  expect((await here.hone('tiers', 'off', 'auto')).out).toContain('a person is asked');
});
