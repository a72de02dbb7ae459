/** What the policy says of an edited diff, while it is edited. It is asked once the typing rests. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PolicyCheck } from '../../../src/contracts/policy.ts';
import { type ApiError, post } from '../api.ts';
import { words } from '../format.ts';

const REST_MS = 400;
const SHOWN_MAX = 8;

function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

export function PolicyLive({ id, diff }: { readonly id: string; readonly diff: string }) {
  const rested = useRested(diff);
  const path = `/api/proposals/${id}/check`;
  const { data, error } = useQuery<PolicyCheck, ApiError>({
    queryKey: [path, rested],
    queryFn: () => post<PolicyCheck>(path, { diff: rested }),
    enabled: rested.trim() !== '',
    // It depends on the text alone; entries of the ledger do not change it.
    refetchInterval: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isOld = rested !== diff || (data === undefined && error === null);
  return (
    <div role="status" aria-label="Policy" aria-busy={isOld}>
      {diff.trim() === '' ? (
        <p className="warn">The diff is empty.</p>
      ) : isOld ? (
        <p className="soft">The policy is asked …</p>
      ) : error !== null ? (
        <p className="warn">
          The policy could not be asked: {error.message} {error.hint}
        </p>
      ) : (
        <Findings check={data!} />
      )}
    </div>
  );
}

function Findings({ check }: { readonly check: PolicyCheck }) {
  const { files, findings } = check;
  if (findings.length === 0)
    return (
      <p className="good">
        The policy finds nothing in {files === 1 ? 'this file' : `these ${files} files`}.
      </p>
    );
  return (
    <>
      {findings.slice(0, SHOWN_MAX).map(({ rule, level, path, line, message }) => (
        <p
          key={`${rule} ${path} ${line} ${message}`}
          className={`${level === 'error' ? 'bad' : 'warn'} clip3`}
        >
          <b>{words(rule)}</b>
          {path === null ? '' : ` ${path}${line === null ? '' : `:${line}`}`}: {message}
        </p>
      ))}
      {findings.length > SHOWN_MAX ? (
        <p className="soft">and {findings.length - SHOWN_MAX} more</p>
      ) : null}
    </>
  );
}
