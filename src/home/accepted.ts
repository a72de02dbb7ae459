/**
 * The configuration a person accepted. It is kept outside the repository, so an edited `hone.yaml` is
 * seen and shown, and stays without effect until somebody accepts it. The parsed form is kept too:
 * most commands start without a YAML parser.
 */
import type { Digest } from '../base/index.ts';
import { HomeError } from './errors.ts';
import type { Home } from './home.ts';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

export interface Accepted<Config = unknown> {
  /** The build that parsed it: another build may have other keys and defaults. */
  readonly build: string;
  /** Of what the text means. */
  readonly digest: Digest;
  /** The accepted file, to the letter. */
  readonly text: string;
  readonly config: Config;
  /** Of the configuration as it is kept here; older builds kept none. */
  readonly sum?: number;
}

export function readAccepted<Config>(home: Home): Accepted<Config> | undefined {
  const text = readPrivateFile(home.acceptedFile);
  if (text === undefined) return undefined;
  const accepted = parsed(text);
  if (isAccepted(accepted)) return accepted as Accepted<Config>;
  throw new HomeError('accepted', `${home.acceptedFile} is damaged.`, {
    hint: 'Put it back from a copy. Without one, delete it and run "hone init", which accepts hone.yaml anew.',
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
  const { build, digest, text, config } = value as Record<string, unknown>;
  const words = [build, digest, text].every((one) => typeof one === 'string');
  return words && typeof config === 'object' && config !== null;
}

export function writeAccepted(home: Home, accepted: Omit<Accepted, 'sum'>): void {
  const text = JSON.stringify({ ...accepted, sum: sumOf(accepted.config) });
  writePrivateFile(home.acceptedFile, `${text}\n`, { exclusive: false });
}

/**
 * Whether the configuration is as it was written with its digest. Without loading crypto, which takes a tenth
 * of what `hone status` may take: it finds an edit by somebody who does not mean harm, and who means it can
 * write the store too.
 */
export function isAsWritten({ config, sum }: Accepted): boolean {
  return sum === sumOf(config);
}

/** FNV-1a in 32 bits. */
function sumOf(config: unknown): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(JSON.stringify(config)))
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
