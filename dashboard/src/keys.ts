/** Single keys that do something on a page; never while somebody types or a dialog is open. */
import { useEffect } from 'react';

export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      if (
        /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
        document.querySelector('dialog[open]')
      )
        return;
      const act = keys[event.key];
      // Enter belongs to what has the focus, if that does something by it.
      if (act === undefined || (event.key === 'Enter' && target.closest('a, button') !== null))
        return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}
