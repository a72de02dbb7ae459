/** `hone init`: sets a repository up. Running it twice changes nothing. */
import type { Random } from '../../base/index.ts';
import {
  composeSections,
  detectBranch,
  detectProject,
  expectConfig,
  nodeTree,
  parseConfig,
  readConfigFile,
  renderConfig,
} from '../../config/index.ts';
import type { Actor } from '../../facts/index.ts';
import {
  dropKey,
  type Home,
  hasKey,
  makePrivateFolder,
  newOrigin,
  readAccepted,
  readOrMakeKey,
} from '../../home/index.ts';
import { planFirstToken } from '../../identity/index.ts';
import { formatVerifier, parseVerifier, planKey, recordedKeys } from '../../ledger/index.ts';
import { honeSections } from '../../loop/sections.ts';
import type { Plan, Store } from '../../store/index.ts';
import { acceptConfiguration } from '../accept-configuration.ts';
import type { Context } from '../context.ts';
import { present } from '../io.ts';
import { writeConfigFile } from '../write-config-file.ts';

const FIRST_NAME = 'operator';

export async function init(context: Context): Promise<number> {
  const home = context.home();
  const existing = readConfigFile(home.configFile);
  const text = existing === undefined ? newConfig(context, home) : Buffer.from(existing).toString();
  // A file with mistakes ends here, before anything is made.
  const schema = composeSections(honeSections);
  const parsed = expectConfig(parseConfig(existing ?? text, 'hone.yaml', schema));
  const actor = await context.actor(parsed.config.identity.agents);

  makePrivateFolder(home.stateDir);
  const store = await context.openStore(home, parsed.config);
  let configuration: 'accepted' | 'unchanged' | 'edited' = 'unchanged';
  let ledger: LedgerSetUp;
  try {
    ledger = await setUpLedger({ home, store, actor, random: context.random });
    const accepted = readAccepted(home);
    if (accepted === undefined) {
      await acceptConfiguration({ context, home, store, parsed, text, actor });
      configuration = 'accepted';
    } else if (accepted.text !== text) {
      // Another build had other defaults: what its text means is read again.
      const again = parseConfig(accepted.text, 'the accepted hone.yaml', schema);
      const meant = accepted.build !== context.build && again.ok ? again : accepted;
      if (meant.digest !== parsed.digest) configuration = 'edited';
    }
  } finally {
    await store.close();
  }
  const written = existing === undefined && writeConfigFile(home.configFile, text);

  const result = {
    changed: written || ledger.key === 'made' || configuration === 'accepted',
    root: home.root,
    stateDir: home.stateDir,
    configFile: written ? 'written' : 'kept',
    key: ledger.key,
    verifierKey: ledger.verifierKey,
    configuration,
    token: ledger.token,
  } as const;
  present(context.io, result, (shown) => {
    if (configuration === 'edited') {
      return 'Already set up. hone.yaml was edited: see "hone config show", then "hone config accept".\n';
    }
    if (!shown.changed) return 'Already set up; nothing was changed.\n';
    return `Hone is set up for ${shown.root}

  Configuration  hone.yaml (${shown.configFile}); edit it, then "hone config accept"
  State          ${shown.stateDir}
  Ledger key     ${KEY_WORDS[shown.key]}; its public part, for whoever checks your ledger:
                 ${shown.verifierKey}
${tokenText(shown.token, actor)}
Next: "hone status" shows how things stand, "hone up" starts Hone.
`;
  });
  return 0;
}

function newConfig({ environment }: Context, home: Home): string {
  const branch = detectBranch(home.root, environment);
  const found = branch === undefined ? {} : { deploy: { branch } };
  return renderConfig(honeSections, detectProject(nodeTree(home.root)), found);
}

const KEY_WORDS = {
  made: 'made',
  kept: 'kept',
  elsewhere: 'on the machine that made this ledger',
};

function tokenText(token: LedgerSetUp['token'], actor: Actor): string {
  if (token !== null) {
    return `  Your token     ${token.secret}
                 shown only now. In HONE_TOKEN it decides what needs proof of
                 who decides, and makes other tokens. Keep it where your agents
                 cannot read it: not in a shell that they are started from.
`;
  }
  return actor.kind === 'human'
    ? ''
    : `  Token          none: an agent is at this command line. A person makes the first
                 one: hone token add NAME --role operator
`;
}

interface LedgerSetUp {
  readonly key: 'made' | 'kept' | 'elsewhere';
  readonly verifierKey: string;
  /** The first operator's, where this very call created the ledger for a person. */
  readonly token: { readonly name: string; readonly secret: string } | null;
}

interface SetUpOptions {
  readonly home: Home;
  readonly store: Store;
  readonly actor: Actor;
  readonly random: Random;
}

/**
 * Creates the ledger, with the first operator's token in the same commit: whoever sets Hone up is its
 * operator, and nobody comes in between. Of several at one moment one does, and the others join it.
 */
async function setUpLedger(options: SetUpOptions): Promise<LedgerSetUp> {
  const { home, store, actor, random } = options;
  const newest = (await recordedKeys(store)).at(-1);
  if (newest !== undefined) return joinLedger(options, newest);
  const { key, made } = readOrMakeKey(home, newOrigin(home));
  const created = planKey(key, actor, false);
  const nowMs = await store.nowMs();
  const first =
    actor.kind === 'human' ? planFirstToken({ name: FIRST_NAME, actor, random, nowMs }) : undefined;
  const both = await store.commit(first === undefined ? created : joined(created, first.plan));
  // Tokens of before, as in a database whose ledger was begun anew: nobody becomes an operator by that.
  const tokens = !both.committed && both.refused.name !== 'created';
  const result = tokens ? await store.commit(created) : both;
  if (!result.committed) {
    const winner = (await recordedKeys(store)).at(-1);
    // Two keys would sign one ledger.
    if (made && winner !== formatVerifier(key)) dropKey(home);
    return setUpLedger(options);
  }
  const token = first === undefined || tokens ? null : { name: FIRST_NAME, secret: first.secret };
  return { key: made ? 'made' : 'kept', verifierKey: formatVerifier(key), token };
}

function joined(one: Plan, other: Plan): Plan {
  return {
    expect: [...(one.expect ?? []), ...(other.expect ?? [])],
    writes: [...(one.writes ?? []), ...(other.writes ?? [])],
    entries: [...(one.entries ?? []), ...(other.entries ?? [])],
  };
}

/**
 * The key that signs this ledger. On a database that others use too it may be theirs: then none is made
 * here, because two keys would sign one ledger. A key that was lost is replaced, and that is recorded.
 */
async function joinLedger(
  { home, store, actor }: SetUpOptions,
  newest: string,
): Promise<LedgerSetUp> {
  if (store.engine === 'postgres' && !hasKey(home)) {
    return { key: 'elsewhere', verifierKey: newest, token: null };
  }
  const { key, made } = readOrMakeKey(home, parseVerifier(newest).name);
  if (made) await store.commit(planKey(key, actor, true));
  return { key: made ? 'made' : 'kept', verifierKey: formatVerifier(key), token: null };
}
