import { expect, test } from 'vitest';
import { settingsOf } from './failures.test-support.ts';
import { withLikeNames } from './like-names.ts';
import { ownershipOf } from './ownership.ts';

const GROUPS = [
  { agent: 'dispatcher', tool: 'send_message' },
  { agent: 'damage-clerk', tool: 'fetch_photos' },
  { agent: 'damage-clerk', tool: 'write_report' },
  { agent: 'returns-clerk', tool: 'send_parcel' },
  { event: 'log_line' as const, agent: 'auditor', tool: 'photos.store' },
];

function ownerOf(file: string, text: string, agent: string, tool: string): string {
  const [setting] = withLikeNames(settingsOf(file, text), GROUPS);
  return ownershipOf(setting!, agent, tool);
}

test.each([
  ['a folder', 'hall/dispatch/line.py', 'GO_ROUNDS = 1\n', 'dispatcher', 'send_message'],
  ['a file', 'conf/damages.yaml', 'room: 700\n', 'damage-clerk', 'write_report'],
  ['a key', 'conf/hall.yaml', 'waiting: { photos: 20 }\n', 'damage-clerk', 'fetch_photos'],
  [
    'a word in the plural',
    'conf/hall.yaml',
    'parcels: { room: 7 }\n',
    'returns-clerk',
    'send_parcel',
  ],
  ['a word that only calls share', 'conf/reports.yaml', 'room: 7\n', 'auditor', 'write_report'],
])('a place is owned that is called like an agent or a tool: %s', (_, file, text, agent, tool) => {
  expect(ownerOf(file, text, agent, tool)).toBe('agent');
});

test.each([
  ['a word that several names have', 'conf/clerk.yaml', 'room: 700\n'],
  ['a word of nobody', 'conf/hall.yaml', 'room: 700\n'],
  ['a short word', 'conf/dam.yaml', 'room: 700\n'],
  ['another one’s', 'hall/dispatch/line.yaml', 'room: 700\n'],
])('nobody owns a place by %s', (_, file, text) => {
  expect(ownerOf(file, text, 'damage-clerk', 'write_report')).toBe('anyone');
});

test('names that stand there say more than likeness', () => {
  const text = 'name: auditor\nphotos: 20\n';
  expect(ownerOf('conf/hall.yaml', text, 'damage-clerk', 'fetch_photos')).toBe('none');
  expect(ownerOf('conf/write_report.yaml', 'photos: 20\n', 'x', 'write_report')).toBe('tool');
});

test('what stands in a file with the very name of another tool is that tool’s', () => {
  const ownersIn = (file: string) =>
    ['send_parcel', 'write_report', ''].map((tool) =>
      ownerOf(file, '{ "patience_s": 18 }', 'auditor', tool),
    );
  // A task may fail because of any of its tools.
  expect(ownersIn('conf/send_parcel.json')).toEqual(['tool', 'none', 'anyone']);
  expect(ownersIn('conf/patience.json')).toEqual(['anyone', 'anyone', 'anyone']);
});

test('a file whose siblings have the names of other agents is its agent’s alone', () => {
  const [own] = withLikeNames(
    ['auditor', 'dispatcher'].flatMap((name) =>
      settingsOf(`works/${name}_settings.py`, 'POT_WAIT_SECONDS = 12\n'),
    ),
    GROUPS,
  );
  expect(ownershipOf(own!, 'auditor', 'write_report')).toBe('agent');
  expect(ownershipOf(own!, 'dispatcher', 'write_report')).toBe('none');
  expect(ownershipOf(own!, '', 'write_report')).toBe('anyone');
});
