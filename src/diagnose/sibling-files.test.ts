import { expect, test } from 'vitest';
import { filesNamingAgents, filesOfAgents } from './sibling-files.ts';

const AGENTS = ['gaffer', 'vet-scribe', 'packer', ''];
const ownersOf = (...files: string[]) => [...filesOfAgents(files, AGENTS)];

test('files that are called alike but for an agent’s name are those agents’', () => {
  expect(ownersOf('works/gaffer_settings.py', 'works/packer_settings.py', 'works/x.py')).toEqual([
    ['works/gaffer_settings.py', 'gaffer'],
    ['works/packer_settings.py', 'packer'],
  ]);
  // However the name is written, and wherever it stands.
  expect(ownersOf('bots/vetScribe/limits.ts', 'bots/packer/limits.ts')).toHaveLength(2);
});

test('one alone, other forms, and a file with two names are nobody’s', () => {
  expect(ownersOf('works/gaffer_settings.py', 'works/settings.py')).toEqual([]);
  expect(ownersOf('works/gaffer_settings.py', 'works/packer_limits.py')).toEqual([]);
  expect(ownersOf('works/gaffers_settings.py', 'works/packer_settings.py')).toEqual([]);
  const both = ['packer/gaffer.py', 'packer/packer.py', 'gaffer/gaffer.py', 'vet_scribe/gaffer.py'];
  expect(ownersOf(...both, 'packer/vet_scribe.py').map(([file]) => file)).not.toContain(both[0]);
});

const says = (file: string, path: string, value: string) => ({
  file,
  path: path.split('.'),
  value,
});

test('files that name one agent each under the same key at their top are those agents’', () => {
  const own = [says('a.yaml', 'who', 'gaffer'), says('b.yaml', 'who', 'vet_scribe')];
  expect([...filesNamingAgents([...own, says('c.yaml', 'who', 'somebody')], AGENTS)]).toEqual([
    ['a.yaml', 'gaffer'],
    ['b.yaml', 'vet-scribe'],
  ]);
  // One alone, under another key, deeper, or beside another agent's name.
  expect([...filesNamingAgents(own.slice(0, 1), AGENTS)]).toEqual([]);
  expect([...filesNamingAgents([own[0]!, says('b.yaml', 'next', 'packer')], AGENTS)]).toEqual([]);
  expect([...filesNamingAgents([own[0]!, says('b.yaml', 'x.who', 'packer')], AGENTS)]).toEqual([]);
  expect([...filesNamingAgents([...own, says('b.yaml', 'next', 'packer')], AGENTS)]).toEqual([]);
});
