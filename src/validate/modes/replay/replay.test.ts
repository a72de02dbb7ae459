import { modeContract } from '../../mode-contract.test-support.ts';
import { modeCase, scriptedReplay } from '../../validate.test-support.ts';
import { replay } from './replay.ts';

const FILE = 'agents/search.yaml';
const tuned = (works: (isCandidate: boolean, session: string) => boolean) =>
  modeCase({ [FILE]: 'timeout_ms: 1000\n' }, { [FILE]: 'timeout_ms: 3000\n' }, ({ base }) => ({
    replay: scriptedReplay((session, commit) => works(commit !== base, session)),
  }));

modeContract(replay, {
  good: () => tuned((isCandidate, session) => isCandidate || !session.endsWith('0')),
  bad: () => tuned((isCandidate, session) => !isCandidate || !session.endsWith('0')),
  unclear: () => tuned(() => true),
});
