/**
 * Which configuration is in effect, and how `hone.yaml` stands to it.
 *
 * It is the one that was accepted, as the build read it that accepted it: another build takes over each
 * value, also where its own default differs, so an upgrade loosens nothing in silence. The store has the
 * digest of what was accepted last. Where that is another one, or where this build does not take a value any
 * more, everything but watching and rolling back is held until a person accepts a text.
 */
import { type Digest, digestOf, type Json } from '../base/index.ts';
import { readConfigFile } from '../config/node-files.ts';
import { pinnedDigest } from '../config/pin.ts';
import type { ConfigurationState } from '../config/types.ts';
import { type Accepted, type Home, HomeError, isAsWritten } from '../home/index.ts';
import type { HoneConfig } from '../loop/index.ts';
import type { Store } from '../store/index.ts';

const UNREADABLE =
  'This build cannot read what was accepted. Correct hone.yaml, then run "hone config accept".';
const SUPERSEDED =
  'What was accepted last is not what is kept here. See "hone config show", then run "hone config accept".';

export interface InEffect {
  readonly config: HoneConfig;
  /** What the accepted text means to this build; undefined where it cannot read it. */
  readonly meant: Digest | undefined;
  /** Every accepted value is in effect. */
  readonly isWhole: boolean;
  /** It was this build that accepted it. */
  readonly isOwn: boolean;
}

/** Most starts are of the build that accepted it, and need neither parser nor schemas. */
export async function inEffect(accepted: Accepted<HoneConfig>, build: string): Promise<InEffect> {
  const { config, digest } = accepted;
  if (accepted.build === build) return { config, meant: digest, isWhole: true, isOwn: true };
  const { carryOver, composeSections, expectConfig, honeSections, parseConfig } = await readers();
  const schema = composeSections(honeSections);
  const parsed = parseConfig(accepted.text, 'the accepted hone.yaml', schema);
  const carried = carryOver(schema, config);
  // Where the store is must be sure.
  if (carried === undefined || carried.lost.includes('store.url')) {
    const own = expectConfig(parsed).config;
    return { config: own, meant: undefined, isWhole: false, isOwn: false };
  }
  return {
    config: carried.config,
    meant: parsed.ok ? parsed.digest : undefined,
    isWhole: parsed.ok && carried.lost.length === 0,
    isOwn: false,
  };
}

/** `held`: why only watching and rolling back go on. `evenLost`: for those who check the record, or mend it. */
export async function standing(
  home: Home,
  options: { accepted: Accepted; now: InEffect; store: Store; evenLost: boolean },
): Promise<{ readonly configuration: ConfigurationState; readonly held?: string }> {
  const { accepted, now, store, evenLost } = options;
  const pinned = await pinnedDigest(store);
  if (pinned === null && !evenLost) throw lostStore(store);
  const kept = isAsWritten(accepted) ? accepted.digest : digestOf(accepted.config as Json);
  if (pinned !== kept) {
    return { configuration: 'superseded', held: SUPERSEDED };
  }
  if (!now.isWhole) return { configuration: 'unreadable', held: UNREADABLE };
  return { configuration: await fileState(home, accepted.text, now) };
}

/** An acceptance is recorded in the store before it is kept here: this is not the store it was recorded in. */
function lostStore(store: Store): HomeError {
  const what = `The store at ${store.location} has nothing of this installation, although a configuration was accepted.`;
  return new HomeError('lost_store', what, {
    hint: 'If it was lost or emptied, put it back from a copy. Where only its tables were lost, "hone ledger rebuild --write" makes them anew. If it is a new one on purpose, "hone init" begins anew in it, with no entry, token, stop or decision of before.',
  });
}

/** Only other bytes are parsed, to see whether they mean the same. */
async function fileState(home: Home, text: string, now: InEffect): Promise<ConfigurationState> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = readConfigFile(home.configFile);
  } catch {
    // Without effect like any edit: it must keep nobody from stopping, watching and rolling back.
    return 'edited';
  }
  if (bytes === undefined) return 'missing';
  const isText = Buffer.from(text).equals(bytes);
  if (isText && now.isOwn) return 'accepted';
  const digest = digestOf(now.config as unknown as Json);
  if (isText) return now.meant === digest ? 'accepted' : 'outdated';
  const { composeSections, honeSections, parseConfig } = await readers();
  const parsed = parseConfig(bytes, 'hone.yaml', composeSections(honeSections));
  return parsed.ok && parsed.digest === digest ? 'accepted' : 'edited';
}

async function readers() {
  const [config, { honeSections }] = await Promise.all([
    import('../config/index.ts'),
    import('../loop/sections.ts'),
  ]);
  return { ...config, honeSections };
}
