import { diagnoserContract, saying } from '../../diagnoser-contract.test-support.ts';
import { messageWords } from './message-words.ts';

diagnoserContract({
  diagnoser: messageWords,
  explains: [
    { groups: [saying('Invalid JSON: Unexpected token')] },
    { groups: [saying('missing required argument: query')] },
  ],
  passesOver: [{ groups: [{}] }, { groups: [{ examples: [] }] }],
});
