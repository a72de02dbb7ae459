/** Sets Hone up for a repository. Repeating it changes nothing. */
import type { Digest } from '../base/index.ts';
import {
  acceptedLast,
  composeSections,
  configDigest,
  type Detected,
  expectConfig,
  parseConfig,
  readConfigFile,
} from '../config/index.ts';
import type { SetUp } from '../contracts/setup.ts';
import type { Actor } from '../facts/index.ts';
import { type Home, HomeError, makePrivateFolder, readAccepted } from '../home/index.ts';
import { type HoneConfig, honeSections } from '../loop/index.ts';
import type { Store } from '../store/index.ts';
import { acceptConfiguration } from './accept-configuration.ts';
import { authorise } from './authorise.ts';
import type { AppContext } from './context.ts';
import { type Claimed, claimTarget, otherInChargeWords } from './in-charge.ts';
import { nearbyTelemetry } from './nearby-telemetry.ts';
import { newConfig } from './new-config.ts';
import { type ChosenSources, withSources } from './new-sources.ts';
import { nextSteps } from './next-steps.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import { type LedgerSetUp, setUpLedger } from './set-up-ledger.ts';
import { lookAtTarget } from './target-look.ts';
import { writeConfigFile } from './write-config-file.ts';

const schema = composeSections(honeSections);

export interface SetUpInput extends ChosenSources {
  /** Take charge in place of another installation. */
  readonly takeOver: boolean;
  /** Receives the first token if the answer will not have it: it exists from its commit on, and is shown once. */
  readonly keepToken: (token: NonNullable<SetUp['token']>) => void;
}

export async function setUp(context: AppContext, input: SetUpInput): Promise<SetUp | Refusal> {
  const home = context.home();
  const accepted = acceptedHere(context, home);
  const existing = readConfigFile(home.configFile);
  const isNew = existing === undefined && accepted === undefined;
  const made = isNew ? await newConfig(home, context.environment) : undefined;
  const nearby = await nearbyTelemetry({
    root: home.isBare ? undefined : home.root,
    environment: context.environment,
  });
  const connected = await withSources(context, home, { made: made?.text, nearby, input });
  if (isRefusal(connected)) return connected;
  const text =
    existing === undefined ? (connected.text ?? accepted!.text) : Buffer.from(existing).toString();
  // A file with mistakes ends here, before anything is made.
  const file = expectConfig(parseConfig(existing ?? text, 'hone.yaml', schema));
  const actor = await context.actor(file.config.identity.agents);
  if (home.isBare) makePrivateFolder(home.stateDir);
  const written = existing === undefined && writeConfig(home, text);

  makePrivateFolder(home.stateDir);
  const { config } = accepted ?? file;
  const done = await setUpStore({
    ...{ context, home, actor, accepted, config, input },
    file: { ...file, text },
  });
  if ('refused' in done) return done;
  const { ledger, configuration } = done;
  const configPath = home.isBare ? home.configFile : 'hone.yaml';
  const next = nextSteps(config, await lookAtTarget(home, config), configPath, nearby);
  return {
    changed: written || ledger.isNew || configuration === 'accepted',
    root: home.root,
    stateDir: home.stateDir,
    configFile: written ? 'written' : 'kept',
    configPath,
    key: ledger.key,
    verifierKey: ledger.verifierKey,
    configuration,
    token: ledger.token,
    actor,
    ...(made === undefined || !written ? NOTHING_FOUND : foundIn(made.found)),
    newLedger: ledger.isNew,
    newStore: done.isNewStore,
    next: next.map(({ what, lines = [] }) => [what, ...lines].join('\n')),
  };
}

const NOTHING_FOUND = { found: [], agentFiles: [] } as const;

function foundIn(detected: Detected): Pick<SetUp, 'found' | 'agentFiles'> {
  const { languages, packageManagers, testRunners, testCommand, ci, mcpConfigs } = detected;
  const tests = testCommand === '' ? testRunners : [`tests by "${testCommand}"`];
  return {
    found: [...languages, ...packageManagers, ...tests, ...ci, ...mcpConfigs],
    agentFiles: detected.agentFiles,
  };
}

interface Ready {
  readonly ledger: LedgerSetUp;
  readonly configuration: SetUp['configuration'];
  /** A configuration was accepted here, but this store has no record of it. */
  readonly isNewStore: boolean;
}

/** A configuration as this build reads it. */
interface Meant {
  readonly config: HoneConfig;
  readonly digest: Digest;
  readonly text: string;
}

interface Here {
  readonly context: AppContext;
  readonly home: Home;
  readonly actor: Actor;
  readonly accepted: Meant | undefined;
  readonly file: Meant;
  readonly input: SetUpInput;
}

/** `config`: what was accepted says where the store is, whatever the file says by now. */
async function setUpStore(here: Here & { readonly config: HoneConfig }): Promise<Ready | Refusal> {
  const { context, home, config, input } = here;
  const store = await context.openStore(home, config);
  let claimed: Claimed;
  let ready: Ready;
  try {
    const done = await setUpIn(store, here);
    if ('refused' in done) return done;
    ready = done;
    claimed = await claimTarget({ context, home, store, config, takeOver: input.takeOver });
  } finally {
    await store.close();
  }
  if ('refused' in claimed) {
    if (ready.ledger.token !== null) input.keepToken(ready.ledger.token);
    return claimed;
  }
  if (claimed.other !== null) context.remark(otherInChargeWords(claimed.other));
  return ready;
}

/** What was accepted here before. Where this build cannot read it, "hone config accept" is the way on. */
function acceptedHere({ build }: AppContext, home: Home): Meant | undefined {
  const accepted = readAccepted<HoneConfig>(home);
  if (accepted === undefined) return undefined;
  const { config, text } = accepted;
  if (accepted.build === build) return { config, digest: configDigest(config), text };
  return { ...expectConfig(parseConfig(text, 'the accepted hone.yaml', schema)), text };
}

async function setUpIn(
  store: Store,
  { context, home, actor, accepted, file, input }: Here,
): Promise<Ready | Refusal> {
  const { pinned } = await acceptedLast(store);
  const replaces = accepted === undefined && pinned !== null && pinned !== file.digest;
  const who = replaces
    ? await authorise(context, { store, config: file.config }, { action: 'accept_configuration' })
    : { actor, unchanged: [] };
  if ('refused' in who) return { refused: `${REPLACES} ${who.refused}` };
  const ledger = await setUpLedger({ home, store, actor, random: context.random });
  const isEdited = accepted !== undefined && accepted.digest !== file.digest;
  if (accepted !== undefined && pinned !== null) {
    return { ledger, configuration: isEdited ? 'edited' : 'unchanged', isNewStore: false };
  }
  const meant = accepted ?? file;
  const by = { actor: who.actor, expect: who.unchanged };
  let isAccepted = false;
  try {
    const { text } = meant;
    isAccepted = await acceptConfiguration({ context, home, store, parsed: meant, text, ...by });
  } finally {
    if (!isAccepted && ledger.token !== null) input.keepToken(ledger.token);
  }
  if (!isAccepted) return { refused: OVERTAKEN };
  const isNewStore = accepted !== undefined;
  return { ledger, configuration: isEdited ? 'edited' : 'accepted', isNewStore };
}

function writeConfig({ configFile }: Home, text: string): boolean {
  if (writeConfigFile(configFile, text)) return true;
  if (readConfigFile(configFile) !== undefined) return false;
  throw new HomeError('io', `${configFile} is a link to nothing.`, {
    hint: 'Remove the link, or make the file that it leads to, then run "hone init" again.',
  });
}

const REPLACES =
  'The configuration accepted for this store is not the hone.yaml here. Copy it here and run "hone init" again; to replace it:';

const OVERTAKEN =
  'Somebody has just accepted another configuration for this store. Copy it here, then run "hone init" again.';
