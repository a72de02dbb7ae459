/**
 * Which configuration is in effect, and how `hone.yaml` differs from it.
 *
 * The state folder keeps the accepted text, what it means, and the build that read it. None of that is trusted:
 * the SHA-256 of what is put into effect must be the one that the store's row and its ledger entry name, at each
 * start. Write access to the state folder alone therefore changes nothing. If another build accepted the
 * text, this build reads it again, and the digest says whether it means the same. In every other case Hone only
 * watches and rolls back until a person accepts a text.
 */

import { canonicalJson, type Digest, digestOfBytes, type Json } from '../base/index.ts';
import {
  type AcceptedLast,
  acceptedLast,
  isAcceptedLast,
  readConfigFile,
} from '../config/at-start.ts';
import type { ConfigurationState } from '../config/index.ts';
import { type Accepted, type Home, HomeError } from '../home/index.ts';
import type { HoneConfig } from '../loop/index.ts';
import type { Store } from '../store/index.ts';

const ACCEPT = 'See "hone config show", then run "hone config accept".';
const HELD = {
  unreadable:
    'This build cannot read the accepted configuration. Correct hone.yaml, then run "hone config accept".',
  outdated: `This build reads the accepted configuration differently. ${ACCEPT}`,
  superseded: `The configuration kept here is not the one accepted last. ${ACCEPT}`,
} as const;

export interface InEffect {
  readonly config: HoneConfig;
  /** The digest of `config`; undefined if this build cannot read all of the accepted text. */
  readonly digest: Digest | undefined;
  /** This build accepted it. */
  readonly isOwn: boolean;
}

export interface Standing {
  readonly config: HoneConfig;
  readonly configuration: ConfigurationState;
  readonly held: string | undefined;
  readonly acceptedConfig: unknown;
}

/** Most starts are of the build that accepted it, and need neither parser nor schemas. */
export async function inEffect(accepted: Accepted<HoneConfig>, build: string): Promise<InEffect> {
  const { config, text } = accepted;
  if (accepted.build === build) return { config, digest: meaningOf(config), isOwn: true };
  const { expectConfig, parse, readableSections, schema } = await readers();
  const parsed = parse(text, 'the accepted hone.yaml');
  if (parsed.ok) return { config: parsed.config, digest: parsed.digest, isOwn: false };
  const readable = readableSections(text, { schema, problems: parsed.problems });
  // The store's location must be certain: nothing is opened on a guess.
  if (readable === undefined || readable.unread.has('store')) {
    return { ...expectConfig(parsed), isOwn: false };
  }
  return { config: readable.config, digest: undefined, isOwn: false };
}

/** `evenLost`: for those who check or repair the record. */
export async function standing(
  home: Home,
  options: { accepted: Accepted; now: InEffect; store: Store; evenLost: boolean },
): Promise<Standing> {
  const { accepted, now, store, evenLost } = options;
  const last = await acceptedLast(store);
  if (last.pinned === null && !evenLost) throw lostStore(store);
  const why = await whyHeld(accepted, now, last);
  if (why === undefined) {
    const configuration = await fileState(home, accepted.text, now);
    return { config: now.config, configuration, held: undefined, acceptedConfig: now.config };
  }
  const kept = { config: now.config, configuration: why, held: HELD[why] };
  if (why !== 'superseded') return { ...kept, acceptedConfig: accepted.config };
  const config = (await provedConfig(home, accepted.text, last)) ?? now.config;
  return { ...kept, config, acceptedConfig: undefined };
}

/** A configuration that anybody may have changed could make a watch overlook harm. */
async function provedConfig(
  home: Home,
  text: string,
  last: AcceptedLast,
): Promise<HoneConfig | undefined> {
  const { parse } = await readers();
  for (const source of [fileBytes(home) ?? text, text]) {
    const parsed = parse(source, 'hone.yaml');
    if (parsed.ok && isAcceptedLast(last, parsed.digest)) return parsed.config;
  }
  return undefined;
}

async function whyHeld(
  accepted: Accepted,
  now: InEffect,
  last: AcceptedLast,
): Promise<keyof typeof HELD | undefined> {
  if (now.digest !== undefined && isAcceptedLast(last, now.digest)) {
    return (await isTextAccepted(accepted.text, now, last)) ? undefined : 'superseded';
  }
  const isKept =
    digestOfBytes(accepted.text) === last.recorded?.file &&
    isAcceptedLast(last, meaningOf(accepted.config));
  if (now.isOwn || !isKept) return 'superseded';
  return now.digest === undefined ? 'unreadable' : 'outdated';
}

/** Another text may mean the same: one with other comments was accepted on another machine. */
async function isTextAccepted(text: string, now: InEffect, { recorded }: AcceptedLast) {
  if (!now.isOwn || digestOfBytes(text) === recorded?.file) return true;
  const parsed = (await readers()).parse(text, 'the accepted hone.yaml');
  return parsed.ok && parsed.digest === now.digest;
}

/** An acceptance is recorded in the store before it is kept here: this is not the store it was recorded in. */
function lostStore(store: Store): HomeError {
  const what = `The store at ${store.location} has nothing of this installation, although a configuration was accepted.`;
  return new HomeError('lost_store', what, {
    hint: 'If it was lost or emptied, put it back from a backup: "hone restore FILE --replace". If only its tables were lost, "hone ledger rebuild --write" makes them again. If the store is meant to be new, "hone init" starts from nothing in it, without the earlier entries, tokens, stops and decisions.',
  });
}

/** Only other bytes are parsed, to see whether they mean the same. */
async function fileState(home: Home, text: string, now: InEffect): Promise<ConfigurationState> {
  const bytes = fileBytes(home);
  if (bytes === undefined) return 'missing';
  if (bytes === null) return 'edited';
  if (Buffer.from(text).equals(bytes)) return 'accepted';
  const parsed = (await readers()).parse(bytes, 'hone.yaml');
  return parsed.ok && parsed.digest === now.digest ? 'accepted' : 'edited';
}

/** Null if it cannot be read, which must not prevent stopping, watching and rolling back. */
function fileBytes(home: Home): Uint8Array | undefined | null {
  try {
    return readConfigFile(home.configFile);
  } catch {
    return null;
  }
}

function meaningOf(config: unknown): Digest {
  return digestOfBytes(canonicalJson(config as Json));
}

async function readers() {
  const [config, { honeSections }] = await Promise.all([
    import('../config/index.ts'),
    import('../loop/index.ts'),
  ]);
  const schema = config.composeSections(honeSections);
  const parse = (source: string | Uint8Array, file: string) =>
    config.parseConfig(source, file, schema);
  return { ...config, schema, parse };
}
