/** What pages ask for. The address is the key, so one thing is asked for once, whoever shows it. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ShownSession } from '../../src/contracts/server.ts';
import { type ApiError, get, readSession } from './api.ts';

export function useApi<Answer>(path: string | undefined) {
  return useQuery<Answer, ApiError>({
    queryKey: [path],
    queryFn: () => get<Answer>(path!),
    enabled: path !== undefined,
    placeholderData: keepPreviousData,
  });
}

export const SESSION = ['/api/session'];

export function useSession() {
  return useQuery<ShownSession, ApiError>({ queryKey: SESSION, queryFn: readSession });
}
