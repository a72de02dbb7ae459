/** Calls of agents that wait for a person, and tasks about which one is asked: what they are, and the answer. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AskList, ShownAsk } from '../../../src/contracts/ask.ts';
import { type ApiError, post } from '../api.ts';
import { dayAndTime, shortDigest, words } from '../format.ts';
import { Link } from '../router.tsx';
import { useApi } from '../use-api.ts';
import { Prose } from './prose.tsx';
import { Asked, When } from './states.tsx';
import { Modal, TokenForm } from './token-dialog.tsx';

export const useAsks = () => useApi<AskList>('/api/asks').data;

export function AskRows({ asked }: { readonly asked: AskList }) {
  const [opened, open] = useState<string>();
  return (
    <>
      <ul className="rows">
        {asked.asks.map((one) => (
          <li key={one.id}>
            <button type="button" className="row" onClick={() => open(one.id)}>
              <span className="tag warn">allow a call?</span>
              <span className="what">
                <span className="clip">
                  {one.tool} <span className="soft">by {one.agent}</span>
                </span>
                <span className="clip soft">
                  <Prose text={one.why} />
                </span>
              </span>
              <When at={one.askedAt} />
            </button>
          </li>
        ))}
        {asked.tasks.map((one) => (
          <li key={one.id}>
            <Link to={`/tasks/${one.id}`} className="row">
              <span className="tag warn">help an agent</span>
              <span className="what">
                <span className="clip">
                  {one.title} <span className="soft">in {one.phase}</span>
                </span>
                <span className="clip soft">
                  <Prose text={one.why} />
                </span>
              </span>
              <When at={one.progressedAt} />
            </Link>
          </li>
        ))}
      </ul>
      {opened === undefined ? null : <AskDialog id={opened} close={() => open(undefined)} />}
    </>
  );
}

function AskDialog({ id, close }: { readonly id: string; readonly close: () => void }) {
  const ask = useApi<ShownAsk>(`/api/asks/${id}`);
  return (
    <Modal close={close} label="A call that waits">
      <Asked of={ask}>{(shown) => <Answer shown={shown} close={close} />}</Asked>
    </Modal>
  );
}

/** About the call as it was shown: its digest goes with the answer. */
function Answer({ shown, close }: { readonly shown: ShownAsk; readonly close: () => void }) {
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<ApiError>();
  const [isEntering, setEntering] = useState(false);
  const send = (verdict: 'approve' | 'reject') =>
    post(`/api/asks/${shown.id}/${verdict}`, {
      ...(verdict === 'approve' ? { digest: shown.digest } : {}),
      // An empty one is refused: who approves may leave it out, who refuses is told to give one.
      ...(reason.trim() === '' && verdict === 'approve' ? {} : { reason }),
    }).then(
      () => {
        void client.invalidateQueries();
        close();
      },
      (failed: ApiError) => setError(failed),
    );
  // Another session: who it is, and its word against forged requests, are read before anything is sent.
  const entered = () => void client.invalidateQueries().then(() => setEntering(false));
  if (isEntering) return <TokenForm done={entered} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send('approve');
      }}
    >
      <h2 className="clip3">
        Let {shown.agent} call {shown.tool}?
      </h2>
      <p>
        <Prose text={shown.why} />
      </p>
      <pre className="pre">{shown.arguments}</pre>
      <p className="soft">
        Exactly this call, once, until {dayAndTime(shown.expiresAt)}:{' '}
        <span className="digest">{shortDigest(shown.digest)}</span>
        {shown.state === 'waiting' ? '' : `. It is ${words(shown.state)} already.`}
      </p>
      <label>
        Reason, for the record
        <textarea
          maxLength={1000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </label>
      {error === undefined ? null : (
        <div className="note bad" role="alert">
          {error.message} {error.hint}{' '}
          <button type="button" className="plain" onClick={() => setEntering(true)}>
            Enter a token
          </button>
        </div>
      )}
      <div className="buttons">
        <button type="submit" className="main">
          Allow it once
        </button>
        <button type="button" className="danger" onClick={() => void send('reject')}>
          Refuse
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}
