/** What validation contributes to `hone.yaml`. */
import { z } from 'zod';
import { duration, field, section } from '../config/index.ts';
import { CI_PATHS, HONE_PATHS } from '../policy/index.ts';

/** What no change of Hone's may touch, in every folder, whatever the case (VAL-1). */
export const DEFAULT_FORBIDDEN_PATHS: readonly string[] = [
  'docker-compose*.y*ml',
  'compose.y*ml',
  '.env*',
  'SYSTEM_CONTRACT.md',
  'tools-gateway/main.py',
  'tools-gateway/actions.yaml',
  'rag-ingestion/ingest.py',
  'agents/provision.py',
  'agents/generate_api_key.py',
  ...HONE_PATHS,
  ...CI_PATHS,
];

const share = () => z.number().min(0).max(1);

export const validateSection = section('validate', 'How a change proves that it helps.', {
  sessions: field(z.int().min(1).max(100_000), 400, 'Recorded sessions replayed at most.'),
  minSessions: field(
    z.int().min(5).max(100_000),
    20,
    'With fewer usable sessions the verdict is inconclusive.',
  ),
  significance: field(
    z.number().min(0.8).max(0.9999),
    0.95,
    'How sure it must be that a change helps, or hurts.',
  ),
  flakyMax: field(
    share(),
    0.2,
    'The share of sessions that may differ between two runs of the same base.',
  ),
  regressionMax: field(share(), 0.02, 'The share of working sessions that a change may break.'),
  timeout: field(duration({ min: '1s', max: '24h' }), '10m', 'A replay is given up after this.'),
  forbiddenPaths: field(
    z.array(z.string().min(1).max(400)).max(500),
    [...DEFAULT_FORBIDDEN_PATHS],
    'Paths that no change may touch. * and ** as usual; / in front means the root.',
  ),
});
