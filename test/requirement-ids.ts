/** Requirement ids in the titles of tests: `describe('LEASE-1 …')`, `test('… (ID-1)')`. */
import { REQUIREMENTS } from './requirements.ts';

const families = [...new Set(Object.keys(REQUIREMENTS).map((id) => id.split('-')[0]))];
const ID = new RegExp(`\\b(?:${families.join('|')})-\\d+\\b`, 'g');

export function idsIn(title: string): readonly string[] {
  return title.match(ID) ?? [];
}

export function claimedIds(): string[] {
  return Object.keys(REQUIREMENTS).filter((id) => REQUIREMENTS[id]!.state === 'claimed');
}
