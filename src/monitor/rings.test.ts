import { expect, test } from 'vitest';
import { footingOf, isOverlapping, ringsOf } from './rings.ts';

const PLACES = [
  { agent: 'researcher', tool: 'search' },
  { agent: 'researcher', tool: 'read' },
  { agent: 'auditor', tool: 'search' },
  { agent: 'auditor', tool: 'mail' },
  { agent: 'clerk', tool: 'file' },
  { agent: 'porter', tool: 'gate' },
];

const NOTHING = { after: [] };

test('what shares a tool, an agent or comes after is near; what has nothing in common is the comparison', () => {
  const one = { kind: 'one', names: ['search'], within: 'researcher' } as const;
  const place = { agent: 'researcher', tool: 'search' };
  expect(ringsOf(PLACES, footingOf({ ...one, names: ['search'] }, place, NOTHING))).toEqual([
    0, 1, 1, 2, 3, 3,
  ]);
  // The clerk files what was found: more success before it is more load for it.
  expect(
    ringsOf(PLACES, footingOf({ ...one, names: ['search'] }, place, { after: ['file'] })),
  ).toEqual([0, 1, 1, 2, 1, 3]);
  // The gate fails whenever the search does.
  expect(
    ringsOf(
      PLACES,
      footingOf({ ...one, names: ['search'] }, place, { after: [], sharing: ['gate'] }),
    ),
  ).toEqual([0, 1, 1, 2, 3, 1]);
});

test('a value that is everybody’s, or of which nothing is known, is never narrow', () => {
  const place = { agent: 'researcher', tool: 'search' };
  const all = footingOf({ kind: 'all', names: [], within: null }, place, NOTHING);
  expect(ringsOf(PLACES, all)).toEqual([0, 0, 0, 0, 0, 0]);
  // Where it answers a failure it is surely at work.
  expect(all.answers).toEqual(place);
  const unknown = footingOf({ kind: 'unknown', names: [], within: null }, place, NOTHING);
  expect(ringsOf(PLACES, unknown)).toEqual([0, 0, 1, 2, 3, 3]);
  const shared = footingOf({ kind: 'several', names: [], within: null }, place, NOTHING);
  expect(ringsOf(PLACES, shared)).toEqual([0, 1, 0, 1, 3, 3]);
});

test('two changes may meet where they share an agent, or a tool that one is at or leads to', () => {
  const at = (agents: string[] | null, tools: string[] | null, after: string[] = []) => ({
    agents,
    tools,
    after,
  });
  const own = at(['scout'], ['search'], ['save']);
  expect(isOverlapping(own, at(['clerk'], ['file']))).toBe(false);
  expect(isOverlapping(own, at(['scout'], ['file']))).toBe(true);
  expect(isOverlapping(own, at(['clerk'], ['search']))).toBe(true);
  expect(isOverlapping(own, at(['clerk'], ['save']))).toBe(true);
  expect(isOverlapping(own, at(['clerk'], ['file'], ['save']))).toBe(true);
  const sharing = { ...at(['clerk'], ['file']), sharing: ['search'] };
  expect(isOverlapping(own, sharing)).toBe(true);
  // Where it is not known what a change is at, it may be anywhere.
  expect(isOverlapping(own, at(null, ['file']))).toBe(true);
  expect(isOverlapping(own, at(['clerk'], null))).toBe(true);
});
