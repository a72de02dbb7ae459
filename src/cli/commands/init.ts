/** `hone init`: sets a repository up. Running it twice changes nothing. */
import {
  composeSections,
  detectProject,
  expectConfig,
  nodeTree,
  parseConfig,
  readConfigFile,
  renderConfig,
} from '../../config/index.ts';
import type { Actor } from '../../facts/index.ts';
import {
  type Home,
  hasKey,
  makePrivateFolder,
  newOrigin,
  readAccepted,
  readOrMakeKey,
} from '../../home/index.ts';
import { formatVerifier, parseVerifier, planKey, recordedKeys } from '../../ledger/index.ts';
import { honeSections } from '../../loop/sections.ts';
import type { Store } from '../../store/index.ts';
import { acceptConfiguration } from '../accept-configuration.ts';
import type { Context } from '../context.ts';
import { present } from '../io.ts';
import { writeConfigFile } from '../write-config-file.ts';

export async function init(context: Context): Promise<number> {
  const home = context.home();
  const existing = readConfigFile(home.configFile);
  const text =
    existing === undefined
      ? renderConfig(honeSections, detectProject(nodeTree(home.root)))
      : Buffer.from(existing).toString();
  // A file with mistakes ends here, before anything is made.
  const parsed = expectConfig(
    parseConfig(existing ?? text, 'hone.yaml', composeSections(honeSections)),
  );
  const actor = await context.actor(parsed.config.identity.agents);

  makePrivateFolder(home.stateDir);
  const store = await context.openStore(home, parsed.config);
  let configuration: 'accepted' | 'unchanged' | 'edited' = 'unchanged';
  let key: { state: 'made' | 'kept' | 'elsewhere'; verifierKey: string };
  try {
    key = await setUpKey(home, store, actor);
    const accepted = readAccepted(home);
    if (accepted === undefined) {
      await acceptConfiguration({ context, home, store, parsed, text, actor });
      configuration = 'accepted';
    } else if (accepted.digest !== parsed.digest && accepted.text !== text) {
      configuration = 'edited';
    }
  } finally {
    await store.close();
  }
  if (existing === undefined) writeConfigFile(home.configFile, text);

  const result = {
    changed: existing === undefined || key.state === 'made' || configuration === 'accepted',
    root: home.root,
    stateDir: home.stateDir,
    configFile: existing === undefined ? 'written' : 'kept',
    key: key.state,
    verifierKey: key.verifierKey,
    configuration,
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

Next: "hone status" shows how things stand, "hone up" starts Hone.
`;
  });
  return 0;
}

const KEY_WORDS = {
  made: 'made',
  kept: 'kept',
  elsewhere: 'on the machine that made this ledger',
};

/**
 * The key that signs this ledger. On a database that others use too it may be theirs: then none is made
 * here, because two keys would sign one ledger. A key that was lost is replaced, and that is recorded.
 */
async function setUpKey(home: Home, store: Store, actor: Actor) {
  const recorded = await recordedKeys(store);
  const newest = recorded.at(-1);
  if (newest !== undefined && store.engine === 'postgres' && !hasKey(home)) {
    return { state: 'elsewhere', verifierKey: newest } as const;
  }
  const origin = newest === undefined ? newOrigin(home) : parseVerifier(newest).name;
  const { key, made } = readOrMakeKey(home, origin);
  if (made || newest === undefined) await store.commit(planKey(key, actor, newest !== undefined));
  return { state: made ? 'made' : 'kept', verifierKey: formatVerifier(key) } as const;
}
