/**
 * The configuration a person accepted. It is kept outside the repository, so an edited `hone.yaml` is
 * seen and shown, and stays without effect until somebody accepts it. The parsed form is kept too:
 * most commands start without a YAML parser. Nothing in this file proves it: whoever opens an installation
 * compares the digests of text and configuration with those in the store.
 */
import { HomeError } from './errors.ts';
import type { Home } from './home.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

export interface Accepted<Config = unknown> {
  /** The build that parsed it: another build may have other keys and defaults. */
  readonly build: string;
  /** The accepted file, to the letter. */
  readonly text: string;
  /** What that build read in the text. */
  readonly config: Config;
}

export function readAccepted<Config>(home: Home): Accepted<Config> | undefined {
  const text = readPrivateFile(home.acceptedFile);
  if (text === undefined) return undefined;
  const accepted = parsed(text);
  if (isAccepted(accepted)) return accepted as Accepted<Config>;
  throw new HomeError('accepted', `${home.acceptedFile} is damaged.`, {
    hint: 'Put it back from a copy. Without one, delete it and run "hone init", which accepts hone.yaml again.',
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAccepted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { build, text, config } = value as Record<string, unknown>;
  const words = typeof build === 'string' && typeof text === 'string';
  return words && typeof config === 'object' && config !== null;
}

export function writeAccepted(home: Home, accepted: Accepted): void {
  writePrivateFile(home.acceptedFile, `${JSON.stringify(accepted)}\n`, { exclusive: false });
}
