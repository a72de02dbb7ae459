/** Addresses of pages. Each is a deep link: what is shown stands in the address. */
import { type ReactNode, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
addEventListener('popstate', () => tell());

function tell(): void {
  for (const listener of listeners) listener();
}

export function go(to: string, { replace = false } = {}): void {
  if (to === location.pathname + location.search) return;
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  if (!replace) {
    scrollTo(0, 0);
    // As when a page is loaded: the link that led here does not keep the keyboard.
    (document.activeElement as HTMLElement | null)?.blur();
  }
  tell();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function usePath(): string {
  return useSyncExternalStore(subscribe, () => location.pathname);
}

/** The query of the address, and how to change it. */
export function useQuery(): [URLSearchParams, (name: string, value: string) => void] {
  const search = useSyncExternalStore(subscribe, () => location.search);
  const current = new URLSearchParams(search);
  const change = (name: string, value: string) => {
    const next = new URLSearchParams(location.search);
    if (value === '') next.delete(name);
    else next.set(name, value);
    const text = next.toString();
    go(`${location.pathname}${text === '' ? '' : `?${text}`}`, { replace: true });
  };
  return [current, change];
}

export function Link({
  to,
  children,
  className,
  current,
  title,
}: {
  readonly to: string;
  readonly children: ReactNode;
  readonly className?: string;
  readonly current?: boolean;
  readonly title?: string;
}) {
  return (
    <a
      href={to}
      className={className}
      title={title}
      aria-current={current === true ? 'page' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}
