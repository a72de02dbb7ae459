/** What a configuration changes, key by key. */
import type { ReviewedChange } from '../app/review-configuration.ts';
import { fitLines } from './layout.ts';

export function changeLines(changes: readonly ReviewedChange[], columns: number): string {
  const lines = changes.map(
    ({ key, before, after, weakens }) =>
      `  ${key}: ${before ?? '(none)'} → ${after ?? '(none)'}${weakens ? '  (weaker)' : ''}\n`,
  );
  return fitLines(lines.join(''), columns);
}
