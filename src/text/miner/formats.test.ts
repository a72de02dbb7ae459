/**
 * Formats of software in general, made here from shapes with values: every message must be grouped
 * with exactly the messages of its shape. None of them is taken from the labelled data.
 */
import { expect, it } from 'vitest';
import { type Random, randomInt, seededRandom } from '../../base/index.ts';
import { Miner } from './index.ts';

const NAMES = 'alice bob carol dave erin frank grace heidi ivan judy mallory niaj olivia'.split(
  ' ',
);
const TOOLS = 'search read_file write_file bash fetch_url list_dir apply_patch'.split(' ');
const PACKAGES = ['com.example.mail', 'com.example.music', 'org.sample.maps', 'net.demo.clock'];
const CLASSES = ['ui.MainActivity', 'sync.SyncService', 'net.HttpClient', 'db.Store', 'job.Worker'];

type Value = (random: Random) => string;
const number =
  (below: number): Value =>
  (random) =>
    String(randomInt(random, below));
const one =
  (list: readonly string[]): Value =>
  (random) =>
    list[randomInt(random, list.length)]!;
const hex =
  (digits: number): Value =>
  (random) =>
    Array.from({ length: digits }, () => randomInt(random, 16).toString(16)).join('');

const VALUES: Readonly<Record<string, Value>> = {
  n: number(100_000),
  d: number(10),
  f: (random) => (random.next() * 100).toFixed(3),
  x: hex(8),
  long: hex(32),
  uuid: (random) => [8, 4, 4, 4, 12].map((digits) => hex(digits)(random)).join('-'),
  ip: (random) => [10, 0, 0, 0].map((base) => base + randomInt(random, 200)).join('.'),
  host: (random) => `web-${randomInt(random, 40)}.prod.example.com`,
  name: one(NAMES),
  tool: one(TOOLS),
  package: one(PACKAGES),
  class: (random) => `${one(PACKAGES)(random)}.${one(CLASSES)(random)}`,
  path: (random) =>
    `/srv/${one(NAMES)(random)}/v${randomInt(random, 9)}/data.${one(['json', 'log'])(random)}`,
  bool: one(['true', 'false']),
  list: (random) =>
    Array.from({ length: 1 + randomInt(random, 6) }, () => number(999)(random)).join(', '),
  date: () => '2024-05-01 10:11:12,345',
};

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  'web server': [
    '{ip} - {name} "GET {path} HTTP/1.1" {n} {n}',
    '{ip} - {name} "POST {path} HTTP/1.1" {n} {n}',
    'upstream timed out ({d}: Connection timed out) while connecting to upstream, client: {ip}, server: {host}',
    'open() "{path}" failed ({d}: No such file or directory), client: {ip}',
    'worker process {n} exited on signal {d}',
  ],
  database: [
    'duration: {f} ms statement: SELECT 1',
    'connection authorized: user={name} database=shop',
    'connection received: host={ip} port={n}',
    'checkpoint complete: wrote {n} buffers ({f}%); {d} WAL file(s) added',
    'could not receive data from client: Connection reset by peer',
    'relation "{name}" does not exist at character {n}',
  ],
  'proxy and lifetimes': [
    '{host}:{n} open through proxy {host}:{n} HTTPS',
    '{host}:{n} close, {n} bytes sent, {n} bytes received, lifetime {n}:{n}',
    '{host}:{n} close, {n} bytes ({f} KB) sent, {n} bytes received, lifetime <1 sec',
    '{host}:{n} error : Could not connect through proxy {host}:{n} - status code {n}',
  ],
  'phone, key=value': [
    'acquire lock={n}, flags=0x{x}, tag="View Lock", name={package}, ws=null, uid={n}, pid={n}',
    'release lock={n}, flags=0x{x}, name={package}, ws=WorkSource{{n}}, uid={n}',
    'setVisibility vis={d} mask={d} diff={d} bounds=Rect({d}, {d} - {n}, {n})',
    'Skipping WindowToken{{x} token=Token{{x} Record{{x} u0 {package}/.ui.Main t{n}}}}',
    'getTotalSteps = {n}##{n}##{n}##{n}',
    'onStep:{n} {d} {d} {d}',
    'ready={bool},policy={d},boot={bool},adj={f}',
  ],
  'agent, JSON': [
    '{"level":"info","event":"tool_call","tool":"{tool}","ms":{n},"ok":{bool}}',
    '{"level":"error","event":"tool_error","tool":"{tool}","message":"timed out after {n}ms"}',
    '{"level":"info","event":"session_start","session":"{uuid}","model":"large"}',
    '{"level":"warn","event":"retry","attempt":{d},"ids":[{list}]}',
  ],
  'agent, logfmt': [
    'level=info msg="tool finished" tool={tool} duration={n}ms session={uuid}',
    'level=warn msg="context is {n} tokens, limit is {n}" session={uuid}',
    'level=error msg="patch does not apply" file={path} hunk={d}',
  ],
  'agent, text': [
    'Tool {tool} returned exit code {d} after {f}s',
    'Tool {tool} timed out after {n}ms',
    'Reading {path} ({n} lines)',
    'Test run failed: {d} of {n} tests',
    "Error: ENOENT: no such file or directory, open '{path}'\n    at Object.open (node:fs:{n}:{d})",
    'TypeError: cannot read properties of undefined\n    at {name} ({path}:{n}:{d})',
    'Approval requested by {name} for change {x}',
    'Approval denied by {name} for change {x}',
  ],
  'cloud instances': [
    '[instance: {uuid}] VM Started (Lifecycle Event)',
    '[instance: {uuid}] VM Paused (Lifecycle Event)',
    '[instance: {uuid}] Took {f} seconds to build instance.',
    '{ip} "GET /v2/{long}/servers/detail HTTP/1.1" status: {n} len: {n} time: {f}',
    '{ip} "DELETE /v2/{long}/servers/{uuid} HTTP/1.1" status: {n} len: {n} time: {f}',
    'Final view: name={host} phys_ram={n}MB used_ram={n}MB stats=[]',
  ],
  'data jobs': [
    'Block broadcast_{n} stored as values in memory (estimated size {f} KB, free {f} KB)',
    'Block broadcast_{n} stored as bytes in memory (estimated size {f} KB, free {f} KB)',
    'Running task {f} in stage {f} (TID {n})',
    'Finished task {f} in stage {f} (TID {n}). {n} bytes result sent to driver',
    'Registering class {class} for class {class} in dispatcher',
    'ask {ip}:{n} to delete blocks {list}',
    'Started fetch of {n} blocks: [{list}]',
  ],
  'operating system': [
    'Accepted publickey for {name} from {ip} port {n} ssh2',
    'Invalid user {name} from {ip}',
    'session opened for user {name} by (uid={d})',
    'session closed for user {name}',
    'eth{d}: link up, {n}Mbps, full-duplex',
    'eth{d}: link down',
    'connect from {host}[{ip}]',
    'Out of memory: Kill process {n} (java) score {n} or sacrifice child',
    'usb {d}-{d}: new high-speed USB device number {d} using xhci_hcd',
    'BIOS-provided map: {long} - {long} (usable)',
    'BIOS-provided map: {long} - {long} (reserved)',
    'CPU{d} temperature above threshold, count {n}',
  ],
  'Windows servicing': [
    'Loaded Servicing Stack v6.1.{n}.{n} with Core: C:\\Windows\\winsxs\\amd64_{x}_6.1\\core.dll',
    'Session: {n}_{n} initialized by client Updater.',
    'Read out cached applicability for package: Package_for_KB{n}~{long}~amd64~~6.1.1.{d}, State: {n}',
    'Failed to get next element [HRESULT = 0x{x} - E_INVALID_ITEM]',
    'Warning: Unrecognized attribute.',
  ],
};

/** `{name}` is a value; any other brace stands for itself. */
function fill(shape: string, random: Random): string {
  return shape.replace(/\{([a-z]+)\}/g, (mark, name: string) => VALUES[name]?.(random) ?? mark);
}

it.each(Object.entries(FORMATS))('DIAG-1 without a word about the source: %s', (format, shapes) => {
  const random = seededRandom(format.length);
  const miner = new Miner();
  const ids = shapes.flatMap((shape) =>
    Array.from({ length: 80 }, () => ({ shape, id: miner.add(fill(shape, random)).templateId })),
  );
  const groups = new Map<string, Map<string, number>>();
  for (const { shape, id } of ids) {
    const group = miner.template(id)!.text;
    const counts = groups.get(shape) ?? new Map<string, number>();
    groups.set(shape, counts.set(group, (counts.get(group) ?? 0) + 1));
  }
  for (const [shape, templates] of groups) {
    expect([...templates.keys()], shape).toHaveLength(1);
  }
  expect(miner.templates()).toHaveLength(shapes.length);
});
