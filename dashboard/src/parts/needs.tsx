/** Proposals that wait for a person, the most urgent need first. */
import type { ProposalList } from '../../../src/contracts/proposal.ts';
import type { Status } from '../../../src/contracts/status.ts';
import { Link } from '../router.tsx';
import { useApi } from '../use-api.ts';
import { Prose } from './prose.tsx';
import { When } from './states.tsx';

type Need = Status['needsPerson'][number] & {
  /** When it came to wait for a decision. */
  readonly since?: string;
};

/** Harm first, then what blocks, then what is new. */
const URGENCY: readonly Need['need'][] = ['roll_back', 'settle', 'release', 'decide'];
const WORDS: Readonly<Record<Need['need'], string>> = {
  roll_back: 'take back?',
  settle: 'settle',
  release: 'held by vetting',
  decide: 'decide',
};

/** What needs help, and what waits for an ordinary decision; undefined until both are known. */
export function useNeeds(): readonly Need[] | undefined {
  const status = useApi<Status>('/api/status');
  const pending = useApi<ProposalList>('/api/proposals?state=pending&limit=100');
  if (status.data === undefined || pending.data === undefined) return undefined;
  const { needsPerson } = status.data;
  const known = new Set(needsPerson.map(({ proposal }) => proposal));
  const others = pending.data.proposals.filter(({ id }) => !known.has(id));
  const asked = others.map(({ id, title, state, changedAt }): Need => {
    return { proposal: id, title, state, need: 'decide', why: null, since: changedAt };
  });
  return byUrgency([...needsPerson, ...asked]);
}

const byUrgency = (needs: readonly Need[]) =>
  needs.toSorted((a, b) => URGENCY.indexOf(a.need) - URGENCY.indexOf(b.need));

export function NeedRows({
  needs,
  here,
}: {
  readonly needs: readonly Need[];
  readonly here?: number;
}) {
  return (
    <ul className="rows">
      {needs.map(({ proposal, title, need, why, since }, at) => (
        <li key={proposal}>
          <Link to={`/proposals/${proposal}`} className={`row ${at === here ? 'here' : ''}`}>
            <span className={`tag ${need === 'decide' ? 'accent' : 'warn'}`}>{WORDS[need]}</span>
            <span className="what">
              <span className="clip" title={title.slice(0, 1000)}>
                {title}
              </span>
              {why === null ? null : (
                <span className="clip soft">
                  <Prose text={why} />
                </span>
              )}
            </span>
            {since === undefined ? null : <When at={since} />}
          </Link>
        </li>
      ))}
    </ul>
  );
}
