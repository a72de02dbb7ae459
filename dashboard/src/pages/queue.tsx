/** What waits for a person, by urgency, and everything that was proposed. */
import { useState } from 'react';
import type { ProposalList } from '../../../src/contracts/proposal.ts';
import { query } from '../api.ts';
import { words } from '../format.ts';
import { useKeys } from '../keys.ts';
import { AskRows, useAsks } from '../parts/asks.tsx';
import { NeedRows, useNeeds } from '../parts/needs.tsx';
import { useOlder } from '../parts/older.tsx';
import { Prose } from '../parts/prose.tsx';
import { Asked, Empty, Head, Tag, Waiting, When } from '../parts/states.tsx';
import { go, Link, useQuery } from '../router.tsx';

const STATES = [
  'pending',
  'approved',
  'monitoring',
  'implemented',
  'reverted',
  'rejected',
  'quarantined',
  'failed',
  'inconclusive',
  'superseded',
  'aborted',
];

export default function Queue() {
  const found = useNeeds();
  const asked = useAsks();
  const needs = found ?? [];
  const areAsked = asked !== undefined && asked.asks.length + asked.tasks.length > 0;
  const [here, setHere] = useState(0);
  const move = (by: number) =>
    setHere((at) => Math.min(Math.max(0, at + by), Math.max(0, needs.length - 1)));
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => {
      const one = needs[here];
      if (one !== undefined) go(`/proposals/${one.proposal}`);
    },
  });
  return (
    <>
      <Head
        title="Queue"
        sub={
          <>
            What waits for a person, the most urgent first. <kbd>j</kbd> <kbd>k</kbd> move,{' '}
            <kbd>Enter</kbd> opens.
          </>
        }
      />
      <section className="card" aria-label="Waiting">
        {areAsked ? <AskRows asked={asked} /> : null}
        {found === undefined ? (
          <Waiting />
        ) : needs.length === 0 ? (
          areAsked ? null : (
            <Empty title="Nothing waits for a person.">
              Hone asks here when it has a proven change, when an agent wants to call what only a
              person may allow, or when it needs help.
            </Empty>
          )
        ) : (
          <NeedRows needs={needs} here={here} />
        )}
      </section>
      <Proposals />
    </>
  );
}

function Proposals() {
  const [search, change] = useQuery();
  const state = search.get('state') ?? '';
  const { first, pages, older } = useOlder<ProposalList>(
    (before) => `/api/proposals${query({ state, before, limit: 25 })}`,
  );
  return (
    <section className="card" aria-label="All proposals">
      <div className="head">
        <h2>All proposals</h2>
        <label className="beside">
          State
          <select value={state} onChange={(event) => change('state', event.target.value)}>
            <option value="">any</option>
            {STATES.map((one) => (
              <option key={one} value={one}>
                {words(one)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Asked of={first}>
        {(page) => {
          const all = [page, ...pages].flatMap(({ proposals }) => proposals);
          if (all.length === 0)
            return (
              <Empty title="No proposals.">
                A cycle makes them when a failure recurs. <Link to="/loop">Loop</Link>
              </Empty>
            );
          return (
            <ul className="rows">
              {all.map(({ id, title, state: at, waiting, changedAt }) => (
                <li key={id}>
                  <Link to={`/proposals/${id}`} className="row">
                    <Tag word={at} />
                    <span className="what">
                      <span className="clip" title={title.slice(0, 1000)}>
                        {title}
                      </span>
                      {waiting === null ? null : (
                        <span className="clip soft">
                          <Prose text={waiting} />
                        </span>
                      )}
                    </span>
                    <When at={changedAt} />
                  </Link>
                </li>
              ))}
            </ul>
          );
        }}
      </Asked>
      {older}
    </section>
  );
}
