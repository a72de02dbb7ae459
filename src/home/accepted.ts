/**
 * The configuration a person accepted. It is kept outside the repository, so an edited `hone.yaml` is
 * seen and shown, and stays without effect until somebody accepts it. The parsed form is kept too:
 * most commands start without a YAML parser.
 */
import type { Digest } from '../base/index.ts';
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
}

export function readAccepted<Config>(home: Home): Accepted<Config> | undefined {
  const text = readPrivateFile(home.acceptedFile);
  return text === undefined ? undefined : (JSON.parse(text) as Accepted<Config>);
}

export function writeAccepted(home: Home, accepted: Accepted): void {
  writePrivateFile(home.acceptedFile, `${JSON.stringify(accepted)}\n`, { exclusive: false });
}
