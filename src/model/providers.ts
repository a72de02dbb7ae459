/** The list of ways to ask a model. One more is a file in `providers/` and a line here. */
import { anthropic } from './providers/anthropic.ts';
import { openai } from './providers/openai.ts';
import type { Provider } from './types.ts';

const PROVIDERS: readonly Provider[] = [anthropic, openai];

export function providerOf(name: string): Provider | undefined {
  return PROVIDERS.find((one) => one.name === name);
}
