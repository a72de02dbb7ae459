import { generatorContract } from '../../generator-contract.test-support.ts';
import { FILE, settingOf, TEXT } from '../../patterns.test-support.ts';
import { constantTune } from './constant-tune.ts';

const files = { [FILE]: TEXT };
const retries = settingOf({
  path: ['tools', 'web_search', 'retries'],
  line: 6,
  value: 2,
  unit: null,
});
const inSeconds = settingOf({ path: ['wait'], line: 1, value: 5, unit: 's' });

generatorContract({
  generator: constantTune,
  fixes: [
    { pattern: {}, files },
    { pattern: { kind: 'retries_exhausted', subject: retries }, files },
    {
      pattern: { subject: inSeconds, succeededLatency: null, failedLatency: null },
      files: { [FILE]: 'wait: 5s # why\n' },
    },
    {
      pattern: {},
      files: {
        [FILE]: 'x: &x { timeout_ms: 1 }\ntools:\n  web_search: { <<: *x, timeout_ms: 800 }\n',
      },
    },
  ],
  declines: [
    { pattern: { subject: settingOf({ value: 0 }) }, files },
    { pattern: { kind: 'retries_exhausted', subject: { ...retries, value: 5 } }, files },
    { pattern: {}, files: { [FILE]: TEXT.replaceAll('800', '900') } },
    { pattern: {}, files: { [FILE]: 'tools: [\n' } },
  ],
});
