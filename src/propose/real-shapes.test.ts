/**
 * Files as people write them, five of each format. The value between ⟦ and ⟧ is replaced by what stands behind the path, and every
 * other byte stays: comments, order, quotes, line ends, indentation, and numbers that look the same. A number with a fraction keeps one.
 */
import { describe, expect, test } from 'vitest';
import type { SettingValue } from '../facts/index.ts';
import { settingOf } from './patterns.test-support.ts';
import { targetFiles } from './target-files.ts';

interface Shape {
  readonly file: string;
  readonly path: readonly string[];
  readonly from: SettingValue;
  readonly to: SettingValue;
  /** As it is written then. */
  readonly written: string;
  readonly text: string;
}

const shape = (
  file: string,
  path: string,
  [from, to, written]: readonly [SettingValue, SettingValue, string],
  text: string,
): Shape => ({ file, path: path.split('/'), from, to, written, text });

const YAML = [
  shape(
    'docker/stack.yaml',
    'services/agent/environment/SEARCH_TIMEOUT_MS',
    [800, 2000, '2000'],
    'version: "3.9"\nservices:\n  agent:\n    image: agent:1.4\n    environment: # 800 elsewhere means nothing\n      SEARCH_TIMEOUT_MS: ⟦800⟧\n      PORT: 800\n',
  ),
  shape(
    'agents/crew.yml',
    'researcher/max_iter',
    [25, 40, '40'],
    'researcher:\n  role: >\n    Senior researcher, 25 years\n    of practice\n  max_iter: ⟦25⟧   # crew default\n  tools: [search, read]\n',
  ),
  shape(
    'k8s/agent.yaml',
    'spec/template/spec/timeout',
    ['30s', '60s', '60s'],
    'apiVersion: v1\r\nkind: Agent\r\nspec:\r\n  template:\r\n    spec:\r\n      timeout: ⟦30s⟧\r\n      retries: 3\r\n',
  ),
  shape(
    'conf/a.yaml',
    'tools/1/limits/seconds',
    [2.5, 4, '4.0'],
    'tools:\n- name: read\n  limits: {seconds: 2.5, rows: 10}\n- name: search\n  limits: {seconds: ⟦2.5⟧, rows: 10}   \n\n\n',
  ),
  shape(
    'conf/b.yaml',
    'x-defaults/timeout',
    [1000, 3000, '3000'],
    '%YAML 1.2\n---\nx-defaults: &d\n  timeout: ⟦1000⟧\nsearch:\n  <<: *d\n  rows: 1000\n...\n',
  ),
];
const JSON_FILES = [
  shape(
    'package.json',
    'config/timeoutMs',
    [5000, 9000, '9000'],
    '{\n\t"name": "agent",\n\t"config": { "timeoutMs": ⟦5000⟧, "port": 5000 },\n\t"scripts": {}\n}\n',
  ),
  shape(
    'a/flows.json',
    'nodes/0/params/retries',
    [0, 2, '2'],
    '{"nodes":[{"id":0,"params":{"retries":⟦0⟧,"offset":0}},{"id":1,"params":{"retries":0}}]}',
  ),
  shape(
    'a/model.json',
    'model',
    ['small-2', 'large-1', '"large-1"'],
    '{ "model": ⟦"small-2"⟧, "fallback": "small-2", "note": "caf\\u00e9 \\"small-2\\"" }\r\n',
  ),
  shape(
    'a/deep.json',
    'a/b/c/d',
    [1.5, 3, '3.0'],
    '{ "a" : { "b" : { "c" : { "d" : ⟦1.5⟧ , "e" : [ 1.5 , 1.50 ] } } } }\n',
  ),
  shape(
    'a/flag.json',
    'strict',
    [false, true, 'true'],
    '\ufeff{\n    "loose": false,\n    "strict": ⟦false⟧\n}',
  ),
];
const JSONC = [
  shape(
    'a.jsonc',
    'wait',
    [90, 180, '180'],
    '{\n  // seconds, not 90 ms\n  "wait": ⟦90⟧, /* was 90 */\n  "rows": 90,\n}\n',
  ),
  shape(
    'b.jsonc',
    'tools/search/limit',
    [10, 20, '20'],
    '{ "tools": { "search": { "limit": ⟦10⟧ }, }, }',
  ),
  shape('c.jsonc', 'list/1', [2, 4, '4'], '{"list": [1, ⟦2⟧, 2, // two\n 3]}\n'),
  shape('d.jsonc', 'name', ['a//b', 'c', '"c"'], '{"name": ⟦"a//b"⟧ // "a//b"\n}\n'),
  shape(
    'e.jsonc',
    'a.b/c d',
    [7, 9, '9'],
    '/* head */\r\n{"a.b": {"c d": ⟦7⟧}, "a": {"b": 7}}\r\n',
  ),
];
const TOML = [
  shape(
    'pyproject.toml',
    'tool/agent/timeout',
    [30, 60, '60'],
    '[project]\nname = "x"\n\n[tool.agent]\ntimeout = ⟦30⟧ # 30 s\nport = 30\n',
  ),
  shape(
    'b.toml',
    'coach/swell/goes',
    [2, 3, '3'],
    '[coach]\ntone = "2"\n[coach.swell]\nfields = ["a", "b"]\ngoes = ⟦2⟧\n',
  ),
  shape(
    'c.toml',
    'server/1/wait',
    ['5s', '9s', '"9s"'],
    '[[server]]\nwait = "5s"\n\n[[server]]\nwait = ⟦"5s"⟧\n',
  ),
  shape(
    'd.toml',
    'a/rows',
    [10_000, 20_000, '20_000'],
    'a = { rows = ⟦10_000⟧, wait = 10_000 }\r\n',
  ),
  shape(
    'e.toml',
    'site/google.com/on',
    [true, false, 'false'],
    '[site."google.com"]\non = ⟦true⟧\noff = true\n',
  ),
];
const LINES = [
  shape(
    'etc/deeds.env',
    'REGISTER_TRIES',
    [3, 5, '5'],
    '# read at start\nPOSTBOX_TRIES=3\nREGISTER_TRIES=⟦3⟧\n',
  ),
  shape('a.env', 'WAIT', ['7000', '9000', '9000'], 'export WAIT=⟦7000⟧ # ms\nexport PORT=7000\n'),
  shape('b.env', 'MODEL', ['small', 'large', 'large'], 'MODEL="⟦small⟧"\nOTHER="small"\n'),
  shape('c.env', 'A_MS', [800, 900, '900'], '\n\nA_MS=⟦800⟧\r\nB_MS=800\r\n'),
  shape('d.env', 'T', [1, 2, '2'], "X='1'\nT=⟦1⟧"),
];
const MARKDOWN = [
  shape(
    'agents/a.md',
    'timeout',
    [30, 60, '60'],
    '---\nname: a\ntimeout: ⟦30⟧\n---\n\n# A\n\nWait 30 s.\n',
  ),
  shape(
    'agents/b.md',
    'tools/x/max_retries',
    [9, 3, '3'],
    '---\r\ntools:\r\n  x: {max_retries: ⟦9⟧}\r\n---\r\nTry 9 times.\r\n',
  ),
  shape(
    'agents/c.md',
    'model',
    ['opus', 'sonnet', 'sonnet'],
    '---\nmodel: ⟦opus⟧ # opus\ndescription: "opus: the great one"\n---\n```yaml\nmodel: opus\n```\n',
  ),
  shape('agents/d.md', 'n', [5, 6, '6'], '---json\n{ "n": ⟦5⟧, "m": 5 }\n---\n5\n'),
  shape(
    'SKILL.md',
    'allowed/0',
    ['Read', 'Grep', 'Grep'],
    '---\nname: s\nallowed:\n  - ⟦Read⟧\n  - Read\n---\nRead first.\n',
  ),
];
const TYPESCRIPT = [
  shape(
    'src/tariff.ts',
    'HOLD',
    [2.5, 4, '4.0'],
    "import { ask } from '../wire.ts';\n\nconst HOLD = ⟦2.5⟧; // the phone is expensive\nconst VAT = 2.5;\n",
  ),
  shape(
    'a.ts',
    'LIMITS/search/timeoutMs',
    [1_200, 3000, '3000'],
    'export const LIMITS = {\n  read: { timeoutMs: 1200 },\n  search: { timeoutMs: ⟦1200⟧ },\n} as const;\n',
  ),
  shape(
    'b.ts',
    'MODEL',
    ['a-1', 'b-2', "'b-2'"],
    "export const MODEL: string = ⟦'a-1'⟧;\r\n// 'a-1'\r\n",
  ),
  shape(
    'c.ts',
    'retries',
    [0, 2, '2'],
    '/** 0 */\nlet retries = ⟦0⟧\nexport function f(n = 0) { return n + retries; }\n',
  ),
  shape(
    'd.ts',
    'TIMEOUT',
    [30_000, 60_000, '60_000'],
    'export const TIMEOUT = ⟦30_000⟧ satisfies number;\nenum A { B = 30_000 }\n',
  ),
];
const JAVASCRIPT = [
  shape(
    'lib/cellar.js',
    'PATIENCE',
    [900, 9000, '9000'],
    "'use strict';\nconst PATIENCE = ⟦900⟧;\nmodule.exports = { PATIENCE, port: 900 };\n",
  ),
  shape('b.mjs', 'conf/wait', [5, 8, '8'], 'export const conf = { wait: ⟦5⟧, rows: [5, 5] };\n'),
  shape('c.cjs', 'A', [1, 2, '2'], '#!/usr/bin/env node\nvar A = ⟦1⟧, B = 1;\n'),
  shape('d.js', 'NAME', ['x', 'y', '"y"'], 'const NAME = ⟦"x"⟧; const T = `x`;\n'),
  shape('e.js', 'ON', [false, true, 'true'], 'const ON = ⟦false⟧ // false\nif (false) run()\n'),
];
const PYTHON = [
  shape(
    'clinic/settings.py',
    'ATTEMPTS',
    [1, 3, '3'],
    'from datetime import timedelta\n\nATTEMPTS = ⟦1⟧\nSTEP = 1\nOPENING = timedelta(hours=1)\n',
  ),
  shape(
    'b.py',
    'CHART_WAIT_MS',
    [7_000, 9_000, '9_000'],
    'CHART_WAIT_MS: int = ⟦7_000⟧  # ms\nPORT = 7_000\n',
  ),
  shape(
    'c.py',
    'CONF/search/timeout',
    [2.5, 5, '5.0'],
    'CONF = {\n    "read": {"timeout": 2.5},\n    "search": {"timeout": ⟦2.5⟧},\n}\n',
  ),
  shape(
    'd.py',
    'MODEL',
    ['small', 'large', "'large'"],
    'MODEL = ⟦\'small\'⟧\nDOC = """MODEL = \'small\'"""\n',
  ),
  shape('e.py', 'STRICT', [true, false, 'False'], 'STRICT = ⟦True⟧\r\nLOOSE = True\r\n'),
];

const ALL = {
  YAML,
  JSON: JSON_FILES,
  JSONC,
  TOML,
  LINES,
  MARKDOWN,
  TYPESCRIPT,
  JAVASCRIPT,
  PYTHON,
};

describe.each(Object.entries(ALL))('a value in %s', (_, shapes) => {
  test.each(shapes.map((one) => [one.file, one] as const))('%s', async (_file, one) => {
    const { file, path, from, to, written, text } = one;
    const before = text.replace('⟦', '').replace('⟧', '');
    const files = targetFiles({ readFile: async () => Buffer.from(before) }, 'c'.repeat(40));
    const line = text.slice(0, text.indexOf('⟦')).split('\n').length;
    const unit = null;
    const answer = await files.setValue(
      settingOf({ file, path: [...path], line, value: from, unit }),
      to,
    );
    if ('declined' in answer) throw new Error(answer.declined);
    const after = Buffer.from(answer.edit.content as Uint8Array).toString();
    expect(after).toBe(text.replace(/⟦.*⟧/, () => written));
    expect(answer.line).toBe(line);
  });
});
