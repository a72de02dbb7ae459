/** What the sanitiser leaves where nothing is set up: the defaults of the section `observe`. */
import { composeSections, expectConfig, parseConfig } from '../config/index.ts';
import { honeSections } from '../loop/index.ts';
import type { ObserveSettings } from '../observe/index.ts';

export function defaultRules(): Omit<ObserveSettings, 'sources'> {
  const schema = composeSections(honeSections);
  const { sources: _, ...rules } = expectConfig(parseConfig('', 'hone.yaml', schema)).config
    .observe;
  return rules;
}
