/** What a configuration changes, key by key. */
import type { ConfigurationChange } from '../contracts/configuration.ts';
import { fitLines } from './layout.ts';

export function changeLines(changes: readonly ConfigurationChange[], columns: number): string {
  const lines = changes.map(
    ({ key, before, after, weakens }) =>
      `  ${key}: ${before ?? '(none)'} → ${after ?? '(none)'}${weakens ? '  (weaker)' : ''}\n`,
  );
  return fitLines(lines.join(''), columns);
}
