import { diagnoserContract, saying } from '../../diagnoser-contract.test-support.ts';
import { RESEARCHER } from '../../failures.test-support.ts';
import { settingLimit } from './setting-limit.ts';

const files = { 'agents/researcher.yaml': RESEARCHER };
const inAgent = (text: string) => ({ 'agents/researcher.yaml': text });
const quiet = { failedLatency: null, succeededLatency: null };

diagnoserContract({
  diagnoser: settingLimit,
  explains: [
    { groups: [{}], files },
    { groups: [quiet], files: inAgent('tools: { web_search: { timeout: 800ms } }') },
    { groups: [quiet], files: inAgent('web_search: { timeout_ms: 800, connect_timeout_ms: 800 }') },
    {
      groups: [{ ...saying('gave up after 3 attempts'), errorCode: 'RETRIES_EXHAUSTED' }],
      files,
    },
  ],
  passesOver: [
    { groups: [{}] },
    { groups: [{ tool: 'other_tool' }], files },
    { groups: [quiet], files: inAgent('web_search: { timeout_ms: true, timeout: fast }') },
    { groups: [{ ...saying('no'), errorCode: 'E42', template: 'no', failedLatency: null }], files },
  ],
});
