import { diagnoserContract, saying } from '../../diagnoser-contract.test-support.ts';
import { examples, HOUR_MS, WINDOW } from '../../failures.test-support.ts';
import { outsideService } from './outside-service.ts';

const inMinutes = (from: number, number: number) =>
  examples(
    'timed out',
    Array.from({ length: number }, (_, at) => WINDOW.fromMs + from * HOUR_MS + at * 60_000),
  );

diagnoserContract({
  diagnoser: outsideService,
  explains: [
    { groups: [saying('connect ECONNREFUSED 10.0.0.1:443')] },
    { groups: [{ examples: inMinutes(5, 20) }] },
    { groups: [{ examples: inMinutes(5, 4) }, { tool: 'fetch', examples: inMinutes(5, 4) }] },
  ],
  passesOver: [
    { groups: [{}] },
    { groups: [saying('no such page')] },
    { groups: [{ examples: inMinutes(23, 20) }] },
  ],
});
