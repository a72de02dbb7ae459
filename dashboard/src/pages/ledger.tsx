/** The record. Each entry that is opened is verified here, in the browser, from its proof. */
import { useEffect, useState } from 'react';
import type { LedgerEntry, Proof, ShownLedger } from '../../../src/contracts/ledger.ts';
import { get, query } from '../api.ts';
import { subjectLink, typeWords } from '../entry-words.ts';
import { fullTime, number } from '../format.ts';
import { Asked, Empty, Head, When } from '../parts/states.tsx';
import { Link, useQuery } from '../router.tsx';
import { useApi } from '../use-api.ts';
import { type Verified, verifyConsistency, verifyInclusion } from '../verify.ts';

const PAGE = 50;

export default function Ledger() {
  const [search, change] = useQuery();
  const [subject, before, type] = [
    search.get('subject') ?? '',
    search.get('before') ?? '',
    search.get('type') ?? '',
  ];
  const shown = useApi<ShownLedger>(
    `/api/ledger/entries${query({ subject, before, limit: PAGE })}`,
  );
  const [opened, open] = useState<number>();
  return (
    <>
      <Head
        title="Ledger"
        sub={
          shown.data === undefined ? (
            ''
          ) : (
            <>
              {number(shown.data.size)} entries. <Seen size={shown.data.size} />
            </>
          )
        }
      />
      <div className="filters">
        <label>
          About
          <input
            value={subject}
            placeholder="proposal:…"
            onChange={(event) => change('subject', event.target.value)}
          />
        </label>
        <label>
          Type begins with
          <input
            value={type}
            placeholder="deploy."
            onChange={(event) => change('type', event.target.value)}
          />
        </label>
        {before === '' ? null : (
          <button type="button" onClick={() => change('before', '')}>
            Newest
          </button>
        )}
      </div>
      <section className="card" aria-label="Entries">
        <Asked of={shown}>
          {({ entries, damaged }) => {
            const fitting = entries.filter((one) => one.type.startsWith(type)).reverse();
            return (
              <>
                {damaged.map(({ kind, from, to }) => (
                  <p key={from} className="note bad">
                    Entries {from} to {to} are {kind}. “hone ledger verify” says more.
                  </p>
                ))}
                {fitting.length === 0 ? (
                  <Empty title="No entry fits.">
                    Only the {PAGE} entries of this page are searched by type.
                  </Empty>
                ) : (
                  <ul className="rows">
                    {fitting.map((one) => (
                      <li key={one.index}>
                        <div className="row">
                          <span className="when">{one.index}</span>
                          <span className="what clip">
                            <button
                              type="button"
                              className="plain"
                              title={one.type}
                              aria-expanded={opened === one.index}
                              onClick={() => open(opened === one.index ? undefined : one.index)}
                            >
                              {typeWords(one.type)}
                            </button>{' '}
                            <span className="soft mono">{one.subject}</span>
                          </span>
                          <span className="tag">{one.actor.id}</span>
                          <When at={one.at} />
                        </div>
                        {opened === one.index ? <Entry entry={one} /> : null}
                      </li>
                    ))}
                  </ul>
                )}
                {(entries[0]?.index ?? 0) === 0 ? null : (
                  <button type="button" onClick={() => change('before', String(entries[0]!.index))}>
                    Show older ones
                  </button>
                )}
              </>
            );
          }}
        </Asked>
      </section>
    </>
  );
}

function Entry({ entry }: { readonly entry: LedgerEntry }) {
  const proof = useApi<Proof>(`/api/ledger/inclusion?index=${entry.index}`);
  const [verified, setVerified] = useState<Verified>();
  useEffect(() => {
    if (proof.data !== undefined) void verifyInclusion(entry, proof.data).then(setVerified);
  }, [entry, proof.data]);
  const link = subjectLink(entry.subject);
  return (
    <div className="card">
      {verified === undefined ? (
        <p className="soft">{proof.error?.message ?? 'Verifying …'}</p>
      ) : verified.ok ? (
        <p className="good">
          Verified in this browser: this very entry is in the ledger of {proof.data!.size} entries,
          by a proof of {proof.data!.proof.length} hashes.
        </p>
      ) : (
        <p className="bad" role="alert">
          NOT VERIFIED. {verified.why}
        </p>
      )}
      <dl>
        <dt>When</dt>
        <dd>{fullTime(entry.at)}</dd>
        <dt>Who</dt>
        <dd>
          {entry.actor.id} ({entry.actor.kind}, verified by {entry.actor.verified})
        </dd>
        <dt>Type</dt>
        <dd className="mono">{entry.type}</dd>
        <dt>About</dt>
        <dd>{link === undefined ? entry.subject : <Link to={link}>{entry.subject}</Link>}</dd>
        {verified?.ok === true ? (
          <>
            <dt>Leaf hash</dt>
            <dd className="digest">{verified.leaf}</dd>
          </>
        ) : null}
      </dl>
      <pre className="pre">{JSON.stringify(entry.data, null, 2)}</pre>
    </div>
  );
}

const KEY = 'hone-ledger-seen';

/** The head that this browser saw last: what was recorded then must still be how the ledger begins. */
function Seen({ size }: { readonly size: number }) {
  const [text, setText] = useState<{ readonly ok: boolean; readonly words: string }>();
  useEffect(() => {
    const check = async () => {
      if (size === 0) return;
      const seen = JSON.parse(localStorage.getItem(KEY) ?? 'null') as {
        size: number;
        root: string;
      } | null;
      const isUsable = seen !== null && seen.size > 0;
      if (isUsable && seen.size > size) {
        setText({
          ok: false,
          words: `This browser saw ${seen.size} entries before: the ledger is shorter, or another one.`,
        });
        return;
      }
      const proof = await get<Proof>(
        `/api/ledger/consistency?index=${isUsable ? seen.size : size}&size=${size}`,
      );
      const isSame = !isUsable || (await verifyConsistency(seen.root, proof));
      const words = !isUsable
        ? 'This browser remembers its head from now on.'
        : `It begins with the ${number(seen.size)} entries that this browser saw before.`;
      setText(
        isSame
          ? { ok: true, words }
          : { ok: false, words: 'It is NOT the ledger that this browser saw before.' },
      );
      if (isSame) localStorage.setItem(KEY, JSON.stringify({ size, root: proof.root }));
    };
    check().catch(() => setText(undefined));
  }, [size]);
  return text === undefined ? null : <span className={text.ok ? 'good' : 'bad'}>{text.words}</span>;
}
