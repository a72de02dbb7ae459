/** One proposal: what goes wrong, why, the exact change, its proof, the way back; and the decision. */
import { useState } from 'react';
import type { PatternSeries, ShownPattern } from '../../../src/contracts/pattern.ts';
import type { ShownProposal } from '../../../src/contracts/proposal.ts';
import { fullTime, number, shortDigest, words } from '../format.ts';
import { useKeys } from '../keys.ts';
import { Causes } from '../parts/causes.tsx';
import { type Act, actsOf, DecideDialog } from '../parts/decide-dialog.tsx';
import { Diff, Text } from '../parts/diff.tsx';
import { Failures } from '../parts/failures.tsx';
import { Proof } from '../parts/proof.tsx';
import { Prose } from '../parts/prose.tsx';
import { Asked, Head, Tag, When } from '../parts/states.tsx';
import { go, Link } from '../router.tsx';
import { useApi } from '../use-api.ts';

export default function Proposal({ id }: { readonly id: string }) {
  const asked = useApi<ShownProposal>(`/api/proposals/${encodeURIComponent(id)}`);
  return (
    <Asked of={asked} page="Proposal">
      {(shown) => <Shown shown={shown} />}
    </Asked>
  );
}

function Shown({ shown }: { readonly shown: ShownProposal }) {
  const { content, digest, state, tier, target, waiting, held, letPass } = shown;
  const [act, setAct] = useState<Act>();
  const [isSplit, setSplit] = useState(false);
  const acts = actsOf(shown);
  useKeys({
    ...Object.fromEntries(acts.map((one) => [KEYS[one] ?? '', () => setAct(one)])),
    u: () => setSplit(false),
    s: () => setSplit(true),
    Escape: () => go('/queue'),
  });
  const pattern = useApi<ShownPattern>(
    content.patternId === null ? undefined : `/api/patterns/${content.patternId}`,
  );
  const series = useApi<PatternSeries>(
    content.patternId === null ? undefined : `/api/patterns/${content.patternId}/series`,
  );
  return (
    <>
      <Head
        title={<Text line={content.title} />}
        sub={
          <>
            Proposed <When at={shown.createdAt} /> by {content.proposer.id} ·{' '}
            <Link to="/queue">Queue</Link>
          </>
        }
      >
        <Tag word={state} />
      </Head>
      <div className="tags">
        <Tag word={TIERS[tier]} title={`tier ${tier}`} />
        <Tag word={`${content.risk} risk`} />
        <Tag word={`${content.severity} severity`} />
        <Tag word={content.type} title="what made the proposal" />
        {shown.validation === null ? null : (
          <Tag
            word={`validation ${shown.validation}`}
            tone={shown.validation === 'passed' ? 'good' : 'warn'}
          />
        )}
      </div>
      <br />
      {waiting === null || state === 'pending' ? null : (
        <p className="note">
          <Prose text={waiting} />
        </p>
      )}
      {held.map(({ name, rule, why }) => (
        <p key={name} className="note warn">
          Held by {name}
          {rule === null ? '' : ` (rule ${rule} of the constitution: nobody can release it)`}: {why}
        </p>
      ))}
      <Approval shown={shown} />
      <section className="card" aria-label="What goes wrong">
        <h2>What goes wrong</h2>
        {content.patternId === null ? (
          <p>
            <Prose text={content.rationale} />
          </p>
        ) : (
          <>
            <Asked of={pattern}>
              {(found) => (
                <p>
                  <Link to={`/patterns/${found.id}`}>{found.title}</Link>:{' '}
                  {number(found.occurrences)} of {number(found.calls)} calls in{' '}
                  {number(found.sessions)} sessions.
                </p>
              )}
            </Asked>
            <Asked of={series}>{(found) => <Failures found={found} />}</Asked>
          </>
        )}
      </section>
      <section className="card" aria-label="Why">
        <h2>Why</h2>
        <p>
          <Prose text={content.rootCause} />
        </p>
        {pattern.data === undefined ? null : (
          <Causes considered={pattern.data.considered} settledBy={pattern.data.settledBy} />
        )}
      </section>
      <section className="card" aria-label="The change">
        <div className="head">
          <h2>The change</h2>
          <fieldset className="segments" aria-label="View of the change">
            <button type="button" aria-pressed={!isSplit} onClick={() => setSplit(false)}>
              Unified
            </button>
            <button type="button" aria-pressed={isSplit} onClick={() => setSplit(true)}>
              Side by side
            </button>
          </fieldset>
        </div>
        <p>
          <Prose text={content.rationale} />
        </p>
        <Diff diff={shown.diff} isSplit={isSplit} />
        {shown.masked === 0 ? null : (
          <p className="warn">
            {shown.masked} secrets are masked here. The digest names the exact bytes.
          </p>
        )}
        <br />
        <dl>
          <dt>Reach</dt>
          <dd>
            {content.reach === null
              ? 'not one value'
              : `${content.reach.kind === 'all' ? 'everybody who inherits it' : words(content.reach.kind)}${content.reach.names.length === 0 ? '' : `: ${content.reach.names.join(', ')}`}${content.reach.within === null ? '' : `, of ${content.reach.within}`}`}
          </dd>
          <dt>Goes to</dt>
          <dd>
            {target.branch} of {target.repository} ({target.forge})
          </dd>
          <dt>Way back</dt>
          <dd>
            <Prose text={content.rollback} />
          </dd>
          <dt>Risk</dt>
          <dd>
            <Prose text={content.riskAndMitigation} />
          </dd>
          <dt>Digest</dt>
          <dd className="digest">{digest}</dd>
        </dl>
      </section>
      <div className="grid">
        <Proof figures={shown.figures} lines={shown.proof} />
        <Verdicts shown={shown} />
      </div>
      {letPass.length === 0 ? null : (
        <section className="card" aria-label="Let pass">
          <h2>Gates that only observed</h2>
          {letPass.map(({ gate, what, why, at }) => (
            <p key={gate + at}>
              {gate}: {what}. {why}
            </p>
          ))}
        </section>
      )}
      {['monitoring', 'implemented', 'reverted'].includes(state) ? (
        <p>
          <Link to={`/changes/${shown.id}`}>How it is watched, and what came of it</Link>
        </p>
      ) : null}
      {acts.length === 0 ? null : (
        <div className="decide">
          {acts.map((one) => (
            <button
              key={one}
              type="button"
              className={one === 'approve' ? 'main' : DANGEROUS.includes(one) ? 'danger' : ''}
              onClick={() => setAct(one)}
            >
              {LABELS[one]} {KEYS[one] === undefined ? null : <kbd>{KEYS[one]}</kbd>}
            </button>
          ))}
          <span className="digest soft">you decide on {shortDigest(digest)}</span>
        </div>
      )}
      {act === undefined ? null : (
        <DecideDialog act={act} shown={shown} close={() => setAct(undefined)} />
      )}
    </>
  );
}

/** How much a person has to do with it. */
const TIERS: Readonly<Record<ShownProposal['tier'], string>> = {
  auto: 'goes without a person',
  notify: 'goes, and you are told',
  approve: 'needs an approval',
  require: 'needs a named person’s approval',
};

const LABELS: Readonly<Record<Act, string>> = {
  approve: 'Approve',
  reject: 'Reject',
  modify: 'Edit',
  'request-changes': 'Ask for changes',
  escalate: 'Escalate',
  pause: 'Pause',
  resume: 'Resume',
  abort: 'Abort',
  rollback: 'Take back',
  release: 'Release',
  settle: 'Settle',
};
const KEYS: Readonly<Partial<Record<Act, string>>> = {
  approve: 'a',
  reject: 'r',
  modify: 'm',
  'request-changes': 'c',
  escalate: 'e',
  pause: 'p',
  resume: 'p',
  rollback: 'b',
};
const DANGEROUS: readonly Act[] = ['reject', 'abort', 'rollback'];

/** What everybody and everything said about these bytes, the newest last. */
function Verdicts({ shown: { attestations, digest } }: { readonly shown: ShownProposal }) {
  return (
    <section className="card" aria-label="Verdicts">
      <h2>Verdicts</h2>
      <ul className="rows">
        {attestations.map((one, at) => (
          <li key={at} className="row">
            <Tag word={one.verdict} />
            <span className="what">
              {one.kind === 'validation' ? `${one.kind} by ${one.mode}` : one.kind}{' '}
              <span className="soft">by {one.actor.id}</span>
              {one.contentDigest === digest ? null : (
                <span className="soft"> (of an earlier version)</span>
              )}
              {one.reason === '' ? null : <span className="clip3">“{one.reason}”</span>}
              {one.numbers.map((number) => (
                <span key={number} className="soft clip3">
                  {number}
                </span>
              ))}
            </span>
            <span className="when" title={fullTime(one.at)}>
              <When at={one.at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What a deployment still needs of people. */
function Approval({ shown: { approval } }: { readonly shown: ShownProposal }) {
  const { needed, approvedBy, changesRequestedBy, owned, isEscalated, isPaused } = approval;
  const notes = [
    ...(isPaused ? ['It is paused until somebody resumes it.'] : []),
    ...(isEscalated ? ['It was raised to the highest tier.'] : []),
    ...changesRequestedBy.map((who) => `${who} asked for changes.`),
    ...(needed > 1
      ? [
          `It needs ${needed} people; ${approvedBy.length === 0 ? 'nobody has' : `${approvedBy.join(', ')}`} approved.`,
        ]
      : []),
    ...owned
      .filter(({ isApproved }) => !isApproved)
      .map(({ file, people }) => `${file} has owners: one of ${people.join(', ')} must approve.`),
  ];
  return notes.map((note) => (
    <p key={note} className="note">
      {note}
    </p>
  ));
}
