import { describe, expect, test } from 'vitest';
import { makeInstallation } from '../../test/cli.ts';
import * as contracts from '../contracts/index.ts';
import { serviceUnit } from './service-unit.ts';

const FACTS = {
  root: '/srv/my agents/100%',
  command: ['/usr/bin/node', '/opt/a "b" \\ $HOME.js', 'up'],
  environment: { PATH: '/usr/bin:/$x', HOME: '/home/o & p' },
};

describe('what keeps hone up running', () => {
  test('systemd: nothing of a path is read as a specifier, a variable or an end of a word', () => {
    const unit = serviceUnit('systemd', FACTS);
    if (!unit.ok) throw new Error(unit.why);
    const lines = unit.text.split('\n');
    expect(lines).toContain('WorkingDirectory=/srv/my agents/100%%');
    expect(lines).toContain('ExecStart="/usr/bin/node" "/opt/a \\"b\\" \\\\ $$HOME.js" "up"');
    expect(lines).toContain('Environment="PATH=/usr/bin:/$x"');
    expect(unit.path).toMatch(/^~\/\.config\/systemd\/user\/hone-100--[0-9a-f]{8}\.service$/);
    expect(unit.start.join('\n')).toContain('systemctl --user enable --now hone-100--');
  });

  test('launchd: a property list whose texts are escaped', () => {
    const unit = serviceUnit('launchd', FACTS);
    if (!unit.ok) throw new Error(unit.why);
    expect(unit.text).toContain('<string>/home/o &amp; p</string>');
    expect(unit.text.match(/<(\w+)[ >]/g)!.length).toBeGreaterThan(10);
    expect(unit.text.split('<dict>')).toHaveLength(unit.text.split('</dict>').length);
  });

  test('two repositories of one name have two units; a line break is refused', () => {
    const path = (root: string) => {
      const unit = serviceUnit('systemd', { ...FACTS, root });
      return unit.ok ? unit.path : unit.why;
    };
    expect(path('/a/agents')).not.toBe(path('/b/agents'));
    expect(path('/a/x\nExecStart=/bin/evil')).toContain('control character');
  });

  test('hone up --print-unit prints it and starts nothing', async () => {
    using here = makeInstallation({ inProcess: true });
    await here.stateDir();
    const text = await here.hone('up', '--print-unit', 'systemd');
    expect(text).toMatchObject({ exit: 0 });
    expect(text.out).toMatch(/^\[Unit\]\n/);
    expect(text.out).toContain(' "up"\n');
    expect(text.err).toContain('systemctl --user enable --now');
    const json = await here.hone('up', '--print-unit', 'launchd', '--json');
    expect(contracts.serviceUnitJson.parse(json.json()).manager).toBe('launchd');
    expect((await here.hone('up', '--print-unit', 'cron')).exit).toBe(2);
  });
});
