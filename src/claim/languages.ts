/** The languages whose files are read. */
import { go } from './languages/go.ts';
import { javascript } from './languages/javascript.ts';
import { python } from './languages/python.ts';
import type { Language } from './types.ts';

export const LANGUAGES: readonly Language[] = [javascript, python, go];

export function languageOf(path: string): Language | undefined {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return LANGUAGES.find(({ extensions }) => extensions.includes(extension));
}
