import { diagnoserContract, saying } from '../../diagnoser-contract.test-support.ts';
import { latencies, RESEARCHER } from '../../failures.test-support.ts';
import { settingLimit } from './setting-limit.ts';

const files = { 'agents/researcher.yaml': RESEARCHER };
const inAgent = (text: string) => ({ 'agents/researcher.yaml': text });
const quiet = { failedLatency: null, succeededLatency: null };

const MUTE = { ...saying('context canceled'), template: 'context canceled', errorCode: 'canceled' };
const SLOW_ELSEWHERE = { ...MUTE, tool: 'valves', succeededLatency: latencies([3000, 200]) };
const OF_SENSORS = { ...MUTE, tool: 'sensors.query' };

diagnoserContract({
  diagnoser: settingLimit,
  explains: [
    { groups: [{}], files },
    { groups: [quiet], files: inAgent('tools: { web_search: { timeout: 800ms } }') },
    { groups: [quiet], files: inAgent('web_search: { timeout_ms: 800, connect_timeout_ms: 800 }') },
    // A constant whose name says nothing, in the agent's own program: the only one that fits.
    { groups: [MUTE], files: { 'src/researcher.ts': 'const HOLD = 0.8;\nconst ROOMS = 6;\n' } },
    { groups: [MUTE], files: inAgent('web_search: { extra_time: 0.8 }') },
    // A time beside it is of another tool, and calls elsewhere end within what their own number allows.
    {
      groups: [MUTE, SLOW_ELSEWHERE],
      files: inAgent('web_search: { again: 0.8 }\nvalves: { again: 9, pause: 9s }\n'),
    },
    // Its own map has it, and another tool's has not.
    {
      groups: [OF_SENSORS],
      files: inAgent('sensors: { patience: 800 }\nvalves: { patience: 90 }\n'),
    },
    {
      groups: [{ ...saying('gave up after 3 attempts'), errorCode: 'RETRIES_EXHAUSTED' }],
      files,
    },
  ],
  passesOver: [
    { groups: [{}] },
    // Beside a time that is written as one, a bare number under a key that says nothing is none.
    { groups: [MUTE], files: inAgent('web_search: { pause: 9s, again: 0.8 }') },
    // Elsewhere calls take longer than the same key would let them.
    {
      groups: [MUTE, SLOW_ELSEWHERE],
      files: inAgent('web_search: { again: 0.8 }\nvalves: { again: 1 }\n'),
    },
    // Two that fit, and no name says which.
    { groups: [MUTE], files: { 'src/researcher.ts': 'const HOLD = 0.8;\nconst ROOMS = 800;\n' } },
    { groups: [MUTE], files: { 'src/shared.ts': 'const HOLD = 0.8;\n' } },
    // The number is another tool's; this one's own is not what is seen.
    {
      groups: [OF_SENSORS],
      files: inAgent('sensors: { patience: 90 }\nvalves: { patience: 800 }\n'),
    },
    // The number is there, and its key says that it counts something else.
    { groups: [MUTE], files: inAgent('web_search: { extra_tries: 0.8 }') },
    { groups: [MUTE], files: inAgent('web_search: { rate: 800 }') },
    { groups: [{ tool: 'other_tool' }], files },
    { groups: [quiet], files: inAgent('web_search: { timeout_ms: true, timeout: fast }') },
    { groups: [{ ...saying('no'), errorCode: 'E42', template: 'no', failedLatency: null }], files },
  ],
});
