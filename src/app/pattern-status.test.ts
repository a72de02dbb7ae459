import { expect, test } from 'vitest';
import type { Pattern, WhyNow } from '../facts/index.ts';
import { type Seen, standingOf } from './pattern-status.ts';

const SETTING = { kind: 'setting', file: 'a.yaml' } as Pattern['subject'];
const STEADY: WhyNow = {
  trigger: 'none',
  since: null,
  endedAtMs: null,
  during: 0.1,
  otherwise: 0.1,
  wait: null,
};

function seen({
  whyNow = {},
  confidence = 0.9,
  ...more
}: Partial<Omit<Seen, 'pattern'>> & {
  subject?: Pattern['subject'];
  confidence?: number;
  whyNow?: Partial<WhyNow>;
} = {}): string {
  const { subject = SETTING, ...rest } = more;
  const pattern = {
    kind: 'timeout',
    subject,
    confidence,
    reasons: ['It is slow.'],
    whyNow: { ...STEADY, ...whyNow },
  } as unknown as Pattern;
  return standingOf({
    pattern,
    finding: { did: 'declined', why: 'not now' },
    isMissed: false,
    proposed: undefined,
    ignored: undefined,
    ...rest,
  }).status;
}

test('a change that is open for it comes before what the cycle said', () => {
  expect(seen()).toBe('declined');
  expect(seen({ proposed: 'Raise it' })).toBe('proposed');
  // Its change was rejected or taken back since.
  expect(seen({ finding: { did: 'proposed', why: 'Raise it' } })).toBe('declined');
});

test('a cause outside the files, or an unknown one, is told to a person', () => {
  expect(seen({ subject: { kind: 'service', name: 'search' } })).toBe('told');
  expect(seen({ subject: { kind: 'unknown' }, whyNow: { wait: 'It may end.' } })).toBe('told');
  expect(seen({ finding: { did: 'told', why: 'It shifted.' } })).toBe('told');
});

test('a cause that is less likely than anything else is told, one that is only not sure enough is declined', () => {
  expect(seen({ confidence: 0.07 })).toBe('told');
  expect(seen({ confidence: 0.55 })).toBe('declined');
  expect(seen({ confidence: 0.07, proposed: 'Raise it' })).toBe('proposed');
});

test('what may end by itself waits, and what ended is over', () => {
  expect(seen({ whyNow: { wait: 'It may end.' } })).toBe('waiting');
  expect(seen({ whyNow: { endedAtMs: 5 }, proposed: 'Raise it' })).toBe('over');
  expect(seen({ isMissed: true })).toBe('over');
  expect(seen({ isMissed: true, ignored: 'known' })).toBe('ignored');
  expect(seen({ finding: undefined })).toBe('waiting');
});
