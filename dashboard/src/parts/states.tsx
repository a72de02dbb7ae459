/** What a page shows while it waits, when something failed, and when there is nothing: always with a next step. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiError } from '../api.ts';
import { ago, fullTime } from '../format.ts';

export function Waiting() {
  return <div className="wait" role="status" aria-label="Loading" />;
}

export function Failed({ error, again }: { readonly error: ApiError; readonly again: () => void }) {
  return (
    <div className="note bad" role="alert">
      {error.message} {error.hint}{' '}
      <button type="button" className="plain" onClick={again}>
        Try again
      </button>
    </div>
  );
}

export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="empty">
      <b>{title}</b>
      {children}
    </div>
  );
}

/** One of the three, or what was asked for. `page`: what the page is called that has nothing else to show. */
export function Asked<Answer>({
  of,
  page,
  children,
}: {
  readonly of: UseQueryResult<Answer, ApiError>;
  readonly page?: string;
  readonly children: (answer: Answer) => ReactNode;
}) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.error !== null)
    return (
      <>
        {page === undefined ? null : <Head title={page} />}
        <Failed error={of.error} again={() => void of.refetch()} />
      </>
    );
  return <Waiting />;
}

export function When({ at }: { readonly at: string | null }) {
  if (at === null) return <span className="when">never</span>;
  return (
    <time className="when" dateTime={at} title={fullTime(at)}>
      {ago(at)}
    </time>
  );
}

export function Head({
  title,
  sub,
  children,
}: {
  readonly title: ReactNode;
  readonly sub?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <div className="head">
      <div>
        <h1>{title}</h1>
        {sub === undefined ? null : <p className="sub">{sub}</p>}
      </div>
      {children === undefined ? null : <div className="buttons">{children}</div>}
    </div>
  );
}

const TONES: Readonly<Record<string, string>> = {
  pending: 'accent',
  proposed: 'accent',
  approved: 'accent',
  deploying: 'accent',
  pr_open: 'accent',
  monitoring: 'accent',
  implemented: 'good',
  passed: 'good',
  stable: 'good',
  helped: 'good',
  ok: 'good',
  done: 'good',
  made: 'good',
  reverted: 'warn',
  inconclusive: 'warn',
  quarantined: 'warn',
  warning: 'warn',
  held: 'warn',
  failed: 'bad',
  rejected: 'bad',
  error: 'bad',
  degraded: 'bad',
  hurt: 'bad',
};

export function Tag({
  word,
  tone,
  title,
}: {
  readonly word: string;
  readonly tone?: string;
  readonly title?: string;
}) {
  return (
    <span className={`tag ${tone ?? TONES[word] ?? ''}`} title={title}>
      {word.replaceAll('_', ' ')}
    </span>
  );
}
