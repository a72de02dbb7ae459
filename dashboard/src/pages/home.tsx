/** Is my fleet getting better, and what waits for me? */
import type { ShownLedger } from '../../../src/contracts/ledger.ts';
import type { Overview } from '../../../src/contracts/overview.ts';
import type { SourcesList } from '../../../src/contracts/source.ts';
import type { Status } from '../../../src/contracts/status.ts';
import { query } from '../api.ts';
import { entryWords, titlesIn } from '../entry-words.ts';
import { number, percent, span } from '../format.ts';
import { AskRows, useAsks } from '../parts/asks.tsx';
import { FailureChart } from '../parts/chart.tsx';
import { NeedRows, useNeeds } from '../parts/needs.tsx';
import { Asked, Empty, Head, Tag, Waiting, When } from '../parts/states.tsx';
import { Link, useQuery } from '../router.tsx';
import { useApi } from '../use-api.ts';

const SPANS = [1, 7, 30] as const;

export default function Home() {
  const [search, change] = useQuery();
  const days = Number(search.get('days') ?? 7);
  const overview = useApi<Overview>(`/api/overview${query({ days })}`);
  const status = useApi<Status>('/api/status');
  const needs = useNeeds();
  const asked = useAsks();
  const areAsked = asked !== undefined && asked.asks.length + asked.tasks.length > 0;
  return (
    <>
      <Head
        title="Is the fleet getting better?"
        sub={overview.data === undefined ? '…' : <Verdict shown={overview.data} />}
      >
        <fieldset className="segments" aria-label="Time shown">
          {SPANS.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={days === one}
              onClick={() => change('days', String(one))}
            >
              {one === 1 ? '24 h' : `${one} days`}
            </button>
          ))}
        </fieldset>
      </Head>
      <section className="card" aria-label="Failures over time">
        <h2>Share of calls that failed</h2>
        <Asked of={overview}>
          {(shown) =>
            shown.hours.length === 0 ? (
              <Empty title="No telemetry yet">
                Connect what your agents write: <code>hone sources add &lt;path&gt;</code>, or send
                OTLP. <Link to="/sources">Sources</Link>
              </Empty>
            ) : (
              <FailureChart
                {...shown}
                from={shown.hours[0]!.at > shown.from ? shown.hours[0]!.at : shown.from}
                height={220}
                label="Share of tool calls that failed, by the hour"
              />
            )
          }
        </Asked>
      </section>
      <div className="grid">
        <div>
          <section className="card" aria-label="What waits for you">
            <h2>Waits for you</h2>
            {areAsked ? <AskRows asked={asked} /> : null}
            {needs === undefined ? (
              <Waiting />
            ) : needs.length === 0 ? (
              areAsked ? null : (
                <Empty title="Nothing waits for a person." />
              )
            ) : (
              <NeedRows needs={needs.slice(0, 6)} />
            )}
          </section>
          <Freshness />
          <section className="card" aria-label="Health of Hone">
            <h2>
              <Link to="/health">Health</Link>
            </h2>
            <Asked of={status}>
              {({ health, ledger }) => (
                <ul className="rows">
                  {health.map(({ id, state, text }) => (
                    <li key={id} className="row">
                      <Tag word={state} />
                      <span className="what">{text}</span>
                    </li>
                  ))}
                  <li>
                    <Link to="/ledger" className="row">
                      <span className="what">{number(ledger.entries)} entries in the ledger</span>
                    </Link>
                  </li>
                </ul>
              )}
            </Asked>
          </section>
        </div>
        <div>
          <ByItself />
        </div>
      </div>
    </>
  );
}

const VERDICTS = {
  better: { tone: 'good', word: 'Better' },
  worse: { tone: 'bad', word: 'Worse' },
  same: { tone: '', word: 'About the same' },
} as const;

/** The later half of the time shown against the one before it. */
function Verdict({ shown }: { readonly shown: Overview }) {
  const { now, before, change } = shown;
  if (change === null) return <>There is too little telemetry to compare.</>;
  const [later, earlier] = [now.failed / now.calls, before.failed / before.calls];
  const firstMs = Math.max(Date.parse(shown.from), Date.parse(shown.hours[0]!.at));
  const half = span((Date.parse(shown.to) - firstMs) / 2);
  const { tone, word } = VERDICTS[change.verdict];
  return (
    <>
      <b className={tone}>{word}</b>: {percent(later)} of {number(now.calls)} calls failed in the
      last {half}; {percent(earlier)} in the {half} before.
    </>
  );
}

function ByItself() {
  const entries = useApi<ShownLedger>('/api/ledger/entries?limit=200');
  return (
    <section className="card" aria-label="What Hone did by itself">
      <h2>Hone did by itself</h2>
      <Asked of={entries}>
        {({ entries: all }) => {
          const titles = titlesIn(all);
          const told = all
            .filter(({ actor }) => actor.kind === 'system')
            .flatMap((one) => {
              const words = entryWords(one, titles);
              return words === undefined ? [] : [{ ...one, ...words }];
            });
          // The same about the same thing, such as a failure that is found again, is told once: the last time.
          const own = [...new Map(told.map((one) => [`${one.type} ${one.subject}`, one])).values()];
          own.sort((a, b) => a.index - b.index);
          if (own.length === 0)
            return (
              <Empty title="Nothing lately.">
                What it looked at is in the <Link to="/loop">loop</Link>.
              </Empty>
            );
          return (
            <ul className="rows">
              {own
                .slice(-7)
                .reverse()
                .map(({ index, what, about, to, at }) => (
                  <li key={index}>
                    <Link to={to ?? '/ledger'} className="row">
                      <span className="what clip" title={about}>
                        {what}
                        {about === undefined ? null : <span className="soft"> {about}</span>}
                      </span>
                      <When at={at} />
                    </Link>
                  </li>
                ))}
            </ul>
          );
        }}
      </Asked>
    </section>
  );
}

function Freshness() {
  const sources = useApi<SourcesList>('/api/sources');
  return (
    <section className="card" aria-label="Sources">
      <h2>
        <Link to="/sources">Sources</Link>
      </h2>
      <Asked of={sources}>
        {({ sources: all }) =>
          all.length === 0 ? (
            <Empty title="No source is connected.">
              <code>hone sources add &lt;path&gt;</code>
            </Empty>
          ) : (
            <ul className="rows">
              {all.slice(0, 6).map((one) => (
                <li key={one.name} className="row">
                  <span className={`dot ${one.lastError === null ? 'good' : 'bad'}`} />
                  <span className="what clip" title={one.name}>
                    {one.name} <span className="soft">{number(one.events)} events</span>
                  </span>
                  <When at={one.lastEventAt} />
                </li>
              ))}
            </ul>
          )
        }
      </Asked>
    </section>
  );
}
