import { diagnoserContract } from '../../diagnoser-contract.test-support.ts';
import { sharedTool } from './shared-tool.ts';

diagnoserContract({
  diagnoser: sharedTool,
  explains: [{ groups: [{}, { agent: 'writer' }, { agent: 'coder' }] }],
  passesOver: [
    { groups: [{}] },
    { groups: [{}, { agent: 'writer', tool: 'fetch' }] },
    { groups: [{ tool: '' }, { tool: '', agent: 'writer' }] },
  ],
});
