/** `hone init`: sets a repository up. Running it twice changes nothing. */

import { acceptConfiguration } from '../../app/accept-configuration.ts';
import { type Claimed, claimTarget, otherInChargeWords } from '../../app/in-charge.ts';
import { newConfig } from '../../app/new-config.ts';
import { nextSteps } from '../../app/next-steps.ts';
import { operatorOf } from '../../app/operator-only.ts';
import { type LedgerSetUp, setUpLedger } from '../../app/set-up-ledger.ts';
import { lookAtTarget } from '../../app/target-look.ts';
import { writeConfigFile } from '../../app/write-config-file.ts';
import type { Digest } from '../../base/index.ts';
import {
  acceptedLast,
  composeSections,
  configDigest,
  expectConfig,
  parseConfig,
  readConfigFile,
} from '../../config/index.ts';
import type { Actor } from '../../facts/index.ts';
import { type Home, HomeError, makePrivateFolder, readAccepted } from '../../home/index.ts';
import { type HoneConfig, honeSections } from '../../loop/sections.ts';
import type { Store } from '../../store/index.ts';
import type { Context } from '../context.ts';
import { type Io, present, refuse } from '../io.ts';
import { fields, wrap } from '../layout.ts';
import { foundPairs, nextText } from '../set-up-text.ts';
import { shown } from '../shown.ts';

const schema = composeSections(honeSections);

export async function init(
  context: Context,
  options: { takeOver?: boolean } = {},
): Promise<number> {
  const home = context.home();
  const accepted = acceptedHere(context, home);
  const existing = readConfigFile(home.configFile);
  const isNew = existing === undefined && accepted === undefined;
  const made = isNew ? await newConfig(home, context.environment) : undefined;
  const text =
    existing === undefined ? (made?.text ?? accepted!.text) : Buffer.from(existing).toString();
  // A file with mistakes ends here, before anything is made.
  const file = expectConfig(parseConfig(existing ?? text, 'hone.yaml', schema));
  const actor = await context.actor(file.config.identity.agents);
  if (home.isBare) makePrivateFolder(home.stateDir);
  const written = existing === undefined && writeConfig(home, text);

  makePrivateFolder(home.stateDir);
  // What was accepted says where the store is, whatever the file says by now.
  const store = await context.openStore(home, (accepted ?? file).config);
  let setUpHere: SetUp | { readonly refused: string };
  let claimed: Claimed = { other: null };
  try {
    setUpHere = await setUp({ context, home, store, actor, accepted, file: { ...file, text } });
    if (!('refused' in setUpHere)) {
      const { config } = accepted ?? file;
      const takeOver = options.takeOver === true;
      claimed = await claimTarget({ context, home, store, config, takeOver });
    }
  } finally {
    await store.close();
  }
  if ('refused' in setUpHere) return refuse(context.io, setUpHere.refused);
  if ('refused' in claimed) {
    // It is shown once, and the commit that made it stands.
    if (setUpHere.ledger.token !== null) sayToken(context.io, setUpHere.ledger.token, actor);
    return refuse(context.io, claimed.refused);
  }
  if (claimed.other !== null) {
    context.io.err(wrap(otherInChargeWords(claimed.other), context.io.errorColumns));
  }
  const { ledger, configuration } = setUpHere;
  const configFile = home.isBare ? home.configFile : 'hone.yaml';
  const { config } = accepted ?? file;
  const next = nextSteps(config, await lookAtTarget(home, config), configFile);
  const result = {
    changed: written || ledger.isNew || configuration === 'accepted',
    root: home.root,
    stateDir: home.stateDir,
    configFile: written ? 'written' : 'kept',
    key: ledger.key,
    verifierKey: ledger.verifierKey,
    configuration,
    token: ledger.token,
    next: next.map(({ what, lines = [] }) => [what, ...lines].join('\n')),
  } as const;
  present(context.io, result, () => {
    const { columns } = context.io;
    if (configuration === 'edited' && !ledger.isNew) return wrap(EDITED, columns);
    if (!result.changed) return `Already set up; nothing was changed.\n${nextText(next, columns)}`;
    const how = `${shown(configFile)} (${result.configFile}); edit it, then "hone config accept"`;
    const pairs: Pair[] = [
      ['Configuration', how],
      ['State', shown(home.stateDir)],
      ...(made === undefined || !written ? [] : foundPairs(made.found)),
      ['Ledger key', `${KEY_WORDS[ledger.key]}; its public part, for whoever checks your ledger:`],
      ['', ledger.verifierKey],
      ...tokenPairs(ledger.token, actor),
      ...(setUpHere.isNewStore ? [NEW_STORE] : []),
    ];
    return [
      wrap(`Hone is set up for ${shown(home.root)}`, columns),
      '\n',
      fields(pairs, columns, '  '),
      '\n',
      nextText(next, columns),
    ].join('');
  });
  return 0;
}

interface SetUp {
  readonly ledger: LedgerSetUp;
  readonly configuration: 'accepted' | 'unchanged' | 'edited';
  /** Something was accepted here, but this store knows nothing of it. */
  readonly isNewStore: boolean;
}

/** A configuration as this build reads it. */
interface Meant {
  readonly config: HoneConfig;
  readonly digest: Digest;
  readonly text: string;
}

/** What was accepted here before. Where this build cannot read it, "hone config accept" is the way on. */
function acceptedHere({ build }: Context, home: Home): Meant | undefined {
  const accepted = readAccepted<HoneConfig>(home);
  if (accepted === undefined) return undefined;
  const { config, text } = accepted;
  if (accepted.build === build) return { config, digest: configDigest(config), text };
  return { ...expectConfig(parseConfig(text, 'the accepted hone.yaml', schema)), text };
}

async function setUp(options: {
  context: Context;
  home: Home;
  store: Store;
  actor: Actor;
  accepted: Meant | undefined;
  file: Meant;
}): Promise<SetUp | { readonly refused: string }> {
  const { context, home, store, actor, accepted, file } = options;
  const { pinned } = await acceptedLast(store);
  const replaces = accepted === undefined && pinned !== null && pinned !== file.digest;
  const who = replaces
    ? await operatorOf(context, { store, config: file.config })
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
    // It is shown once, and the commit that made it stands.
    if (!isAccepted && ledger.token !== null) sayToken(context.io, ledger.token, actor);
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
  'Another configuration was accepted for this store than hone.yaml here. Bring it here and run "hone init" again; to replace it:';

const OVERTAKEN =
  'Somebody accepted another configuration for this store just now. Bring it here, then run "hone init" again.';

type Pair = readonly [label: string, value: string];

const EDITED =
  'Already set up. hone.yaml was edited: see "hone config show", then "hone config accept".';

const NEW_STORE: Pair = ['Store', 'new: no entry, token, stop or decision of before is in it'];

const KEY_WORDS = {
  made: 'made',
  kept: 'kept',
  elsewhere: 'on the machine that made this ledger',
};

const TOKEN_WORDS =
  'shown only now. In HONE_TOKEN it decides what needs proof of who decides, and makes other tokens. Keep it where your agents cannot read it: not in a shell that they are started from.';

function tokenPairs(token: LedgerSetUp['token'], actor: Actor): Pair[] {
  if (token !== null) {
    return [
      ['Your token', token.secret],
      ['', TOKEN_WORDS],
    ];
  }
  if (actor.kind === 'human') return [];
  const add = '"hone token add NAME --role operator"';
  return [
    ['Token', `none: an agent is at this command line. A person makes the first one: ${add}`],
  ];
}

/** It is shown once, also where the command goes no further. */
function sayToken(io: Io, token: LedgerSetUp['token'], actor: Actor): void {
  io.err(fields(tokenPairs(token, actor), io.errorColumns, '  '));
}
