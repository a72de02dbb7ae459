/** The decision: about the digest that was shown, under the name of whoever decides. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Decided } from '../../../src/contracts/decision.ts';
import type { ShownProposal } from '../../../src/contracts/proposal.ts';
import { type ApiError, post } from '../api.ts';
import { shortDigest, words } from '../format.ts';
import { useSession } from '../use-api.ts';
import { PolicyLive } from './policy-live.tsx';
import { Modal, TokenDialog } from './token-dialog.tsx';

export type Act =
  | 'approve'
  | 'reject'
  | 'modify'
  | 'request-changes'
  | 'escalate'
  | 'pause'
  | 'resume'
  | 'abort'
  | 'rollback'
  | 'release'
  | 'settle';

const WORDS: Readonly<Record<Act, { title: string; button: string; needsReason: boolean }>> = {
  approve: { title: 'Approve this change', button: 'Approve', needsReason: false },
  reject: { title: 'Reject this change', button: 'Reject', needsReason: true },
  modify: { title: 'Edit this change', button: 'Put it in place', needsReason: true },
  'request-changes': { title: 'Ask for changes', button: 'Ask for changes', needsReason: true },
  escalate: { title: 'Raise it to the highest tier', button: 'Escalate', needsReason: true },
  pause: { title: 'Keep it where it is', button: 'Pause', needsReason: true },
  resume: { title: 'Let it go on', button: 'Resume', needsReason: true },
  abort: { title: 'Give it up', button: 'Abort', needsReason: true },
  rollback: { title: 'Take this change back', button: 'Take back', needsReason: true },
  release: { title: 'Let it out of quarantine', button: 'Release', needsReason: true },
  settle: { title: 'Say what became of it', button: 'Settle', needsReason: true },
};

/** What a person can do in each state; what is asked for first comes first. */
export function actsOf({ state, stuck, masked, approval }: ShownProposal): Act[] {
  if (stuck) return ['settle'];
  const hold: Act = approval.isPaused ? 'resume' : 'pause';
  if (state === 'pending') {
    // The bytes behind a mask are not here to be edited.
    const edit: Act[] = masked === 0 ? ['modify'] : [];
    const raise: Act[] = approval.isEscalated ? [] : ['escalate'];
    return ['approve', 'reject', ...edit, 'request-changes', ...raise, hold, 'abort'];
  }
  if (state === 'quarantined') return ['release', 'reject'];
  if (state === 'approved') return [hold, 'abort'];
  return ['monitoring', 'implemented', 'deploying', 'pr_open'].includes(state) ? ['rollback'] : [];
}

export function DecideDialog({
  act,
  shown,
  close,
}: {
  readonly act: Act;
  readonly shown: ShownProposal;
  readonly close: () => void;
}) {
  const { title, button, needsReason } = WORDS[act];
  const client = useQueryClient();
  const session = useSession();
  const [reason, setReason] = useState('');
  const [settlement, setSettlement] = useState('kept');
  const [state, setState] = useState<{ busy?: boolean; error?: ApiError; done?: Decided }>({});
  const [isEntering, setEntering] = useState(false);
  // Of what was on the screen when the dialog opened: if the proposal changes meanwhile, Hone refuses.
  const [digest] = useState(shown.digest);
  const [edited, setEdited] = useState(shown.diff);
  const who = session.data?.session;
  // The page is live: somebody may have been faster while the dialog was open.
  const isOver = state.busy !== true && (!actsOf(shown).includes(act) || shown.digest !== digest);
  const bodyOf = () => {
    const seen = digest.replace(/^sha256:/, '');
    if (act === 'approve') return { digest: seen, ...(reason.trim() === '' ? {} : { reason }) };
    if (act === 'reject') return { digest: seen, reason };
    if (act === 'modify') return { digest: seen, diff: edited, reason };
    return act === 'settle' ? { settlement, reason } : { reason };
  };
  const send = async () => {
    setState({ busy: true });
    const body = bodyOf();
    try {
      const done = await post<Decided>(`/api/proposals/${shown.id}/${act}`, body);
      setState({ done });
      void client.invalidateQueries();
    } catch (error) {
      setState({ error: error as ApiError });
      void client.invalidateQueries();
    }
  };
  if (isEntering)
    return <TokenDialog named={who?.named === true} close={() => setEntering(false)} />;
  return (
    <Modal close={close} label={title}>
      {state.done === undefined ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <h2>{title}</h2>
          <p className="clip3">{shown.content.title}</p>
          {act === 'approve' ? (
            <p className="soft">
              Exactly the bytes <span className="digest">{shortDigest(digest)}</span>, to{' '}
              {shown.target.branch}.
            </p>
          ) : null}
          {act === 'settle' ? (
            <label>
              What became of it
              <select value={settlement} onChange={(event) => setSettlement(event.target.value)}>
                <option value="kept">it stays</option>
                <option value="reverted">I took it back</option>
              </select>
            </label>
          ) : null}
          {act === 'modify' ? (
            <label>
              The diff, on the same base; it is validated and decided anew
              <textarea
                className="mono edit"
                spellCheck={false}
                value={edited}
                onChange={(event) => setEdited(event.target.value)}
              />
            </label>
          ) : null}
          {act === 'modify' ? <PolicyLive id={shown.id} diff={edited} /> : null}
          <label>
            {needsReason ? 'Reason, for the record' : 'Reason (optional)'}
            <textarea
              required={needsReason}
              maxLength={1000}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </label>
          {isOver ? (
            <p className="note warn" role="alert">
              {shown.digest === digest
                ? `It is ${words(shown.state)} now, so this decision is no longer asked for.`
                : 'The change is another one now.'}{' '}
              Close this and look at it again.
            </p>
          ) : null}
          {state.error === undefined ? null : (
            <div className="note bad" role="alert">
              {state.error.message} {state.error.hint}{' '}
              <button type="button" className="plain" onClick={() => setEntering(true)}>
                Enter a token
              </button>
            </div>
          )}
          <div className="buttons">
            <button type="submit" className="main" disabled={state.busy === true || isOver}>
              {button}
            </button>
            <button type="button" onClick={close}>
              Cancel
            </button>
            <span className="soft">as {who?.actor.id.slice(0, 60)}</span>
          </div>
        </form>
      ) : (
        <form method="dialog">
          <h2>Recorded</h2>
          {state.done.did.map((one) => (
            <p key={one}>{one}</p>
          ))}
          <p className="soft">It is {words(state.done.state)} now. Hone goes on by itself.</p>
          <div className="buttons">
            <button type="submit" className="main">
              Close
            </button>
          </div>
        </form>
      )}
    </Modal>
  );
}
