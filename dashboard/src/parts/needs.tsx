/** Proposals that wait for a person, the most urgent need first. */
import type { Status } from '../../../src/contracts/status.ts';
import { Link } from '../router.tsx';

type Need = Status['needsPerson'][number];

/** Harm first, then what blocks, then what is new. */
const URGENCY: readonly Need['need'][] = ['roll_back', 'settle', 'release', 'decide'];
const WORDS: Readonly<Record<Need['need'], string>> = {
  roll_back: 'take back?',
  settle: 'settle',
  release: 'held by vetting',
  decide: 'decide',
};

export const byUrgency = (needs: readonly Need[]) =>
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
      {byUrgency(needs).map(({ proposal, title, need, why }, at) => (
        <li key={proposal}>
          <Link to={`/proposals/${proposal}`} className={`row ${at === here ? 'here' : ''}`}>
            <span className={`tag ${need === 'decide' ? 'accent' : 'warn'}`}>{WORDS[need]}</span>
            <span className="what">
              <span className="clip" title={title.slice(0, 1000)}>
                {title}
              </span>
              {why === null ? null : <span className="clip soft">{why}</span>}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
