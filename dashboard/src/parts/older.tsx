/** Lists that come in pages: the first is live, older ones are added when somebody asks for them. */
import { type ReactNode, useState } from 'react';
import { type ApiError, get } from '../api.ts';
import { useApi } from '../use-api.ts';
import { Failed } from './states.tsx';

interface Paged {
  readonly next: string | null;
}

/** `pathOf`: the address of the page behind `before`. With another address, such as by a filter, it begins anew. */
export function useOlder<Page extends Paged>(pathOf: (before?: string) => string) {
  const of = pathOf();
  const first = useApi<Page>(of);
  const [more, setMore] = useState<{
    readonly of: string;
    readonly pages: readonly Page[];
    readonly error?: ApiError;
  }>({ of, pages: [] });
  const pages = more.of === of ? more.pages : [];
  const next = (pages.at(-1) ?? first.data)?.next ?? null;
  const load = (before: string) =>
    get<Page>(pathOf(before)).then(
      (page) => setMore({ of, pages: [...pages, page] }),
      (error: ApiError) => setMore({ of, pages, error }),
    );
  const older: ReactNode =
    next === null ? null : more.of === of && more.error !== undefined ? (
      <Failed error={more.error} again={() => void load(next)} />
    ) : (
      <button type="button" onClick={() => void load(next)}>
        Show older ones
      </button>
    );
  return { first, pages, older };
}
