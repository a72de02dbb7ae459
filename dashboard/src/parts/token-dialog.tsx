/** Entering a named token, so that what one does is under that name. Its secret goes to the server and is not kept here. */
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError, post } from '../api.ts';

export function Modal({
  close,
  label,
  children,
}: {
  readonly close: () => void;
  readonly label: string;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={close} aria-label={label}>
      {children}
    </dialog>
  );
}

export function TokenForm({
  done,
  cancel,
}: {
  readonly done: () => void;
  readonly cancel?: () => void;
}) {
  const [secret, setSecret] = useState('');
  const [error, setError] = useState<string>();
  const enter = async () => {
    try {
      await post('/api/session', { secret: secret.trim() });
      done();
    } catch (failed) {
      setError(
        failed instanceof ApiError ? `${failed.message} ${failed.hint ?? ''}` : String(failed),
      );
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void enter();
      }}
    >
      <label>
        Secret of a token
        <input
          type="password"
          autoComplete="off"
          required
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
        />
      </label>
      {error === undefined ? null : (
        <p className="bad" role="alert">
          {error}
        </p>
      )}
      <div className="buttons">
        <button type="submit" className="main">
          Enter
        </button>
        {cancel === undefined ? null : (
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  );
}

export function TokenDialog({
  named,
  close,
}: {
  readonly named: boolean;
  readonly close: () => void;
}) {
  const client = useQueryClient();
  const done = () => {
    void client.invalidateQueries();
    close();
  };
  return (
    <Modal close={close} label="Token">
      <h2>Act under a named token</h2>
      <p className="soft">
        Changes of the highest tier need one. <code>hone token add</code> makes it and shows its
        secret once.
      </p>
      <TokenForm done={done} cancel={close} />
      {named ? (
        <p>
          <button
            type="button"
            className="plain"
            onClick={() => void post('/api/session/forget', {}).then(done)}
          >
            Forget the token that is entered
          </button>
        </p>
      ) : null}
    </Modal>
  );
}
