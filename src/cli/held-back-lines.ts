/** What Hone may not do by itself for now, in words for `hone status`: since what, until when, and what to do. */
import type { Status } from '../contracts/status.ts';
import { plainLine } from './io.ts';

type Limit = Status['limits'][number];

const NAMES: Readonly<Record<Limit['limit'], string>> = {
  cycles: 'cycles',
  open_proposals: 'open proposals',
  pull_requests: 'pull requests',
  automatic_changes: 'changes without a person',
};

/** `1 of 4 cycles, 3 of 20 open proposals` */
export function limitsText(limits: Status['limits']): string {
  return limits.map(({ limit, used, max }) => `${used} of ${max} ${NAMES[limit]}`).join(', ');
}

export function heldBackLines({ limits, pauses }: Pick<Status, 'limits' | 'pauses'>): string[] {
  return [
    ...pauses.map(pauseLine),
    ...limits.filter(({ used, max }) => used >= max).map(limitLine),
  ];
}

function limitLine({ limit, used, max, freeAt }: Limit): string {
  const until = freeAt === null ? '' : ` until ${minute(freeAt)} UTC`;
  const so = `${used} of ${max}`;
  switch (limit) {
    case 'cycles':
      return `No cycle begins by itself${until}: ${so} ran in 24 hours. "hone cycle" runs one now; limits.cyclesPerDay in hone.yaml is the limit.`;
    case 'open_proposals':
      return `No change is proposed: ${so} are open. Decide some ("hone proposals list --state pending"), or raise limits.openProposals in hone.yaml.`;
    case 'pull_requests':
      return `No pull request is opened${until}: ${so} were in 24 hours. Changes wait; limits.pullRequestsPerDay in hone.yaml is the limit.`;
    case 'automatic_changes':
      return `A person is asked about every change${until}: ${so} were decided without one in 24 hours (limits.automaticChanges in hone.yaml).`;
  }
}

const SET_BY = {
  generator: 'limits.rejectionPause',
  category: 'limits.failurePause',
} as const;

function pauseLine({ what, why }: Status['pauses'][number]): string {
  const said = plainLine(why).slice(0, 300);
  if (what === 'automatic')
    return `PAUSED: ${said}. An operator who has looked at it runs "hone tiers reset --reason …".`;
  return `PAUSED: ${said}. It goes on by itself then; ${SET_BY[what]} in hone.yaml says how long.`;
}

const minute = (at: string) => at.slice(0, 16).replace('T', ' ');
