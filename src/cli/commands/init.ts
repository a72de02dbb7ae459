/** `hone init`: sets a repository up. Running it twice changes nothing. */
import {
  composeSections,
  detectProject,
  expectConfig,
  foundationSections,
  nodeTree,
  parseConfig,
  readConfigFile,
  renderConfig,
} from '../../config/index.ts';
import { makePrivateFolder, readAccepted, readOrMakeKey } from '../../home/index.ts';
import { formatVerifier, planKey, recordedKeys } from '../../ledger/index.ts';
import { acceptConfiguration } from '../accept-configuration.ts';
import type { Context } from '../context.ts';
import { present } from '../io.ts';
import { writeConfigFile } from '../write-config-file.ts';

export async function init(context: Context): Promise<number> {
  const home = context.home();
  const existing = readConfigFile(home.configFile);
  const text =
    existing === undefined
      ? renderConfig(foundationSections, detectProject(nodeTree(home.root)))
      : Buffer.from(existing).toString();
  // A file with mistakes ends here, before anything is made.
  const parsed = expectConfig(
    parseConfig(existing ?? text, 'hone.yaml', composeSections(foundationSections)),
  );
  const actor = await context.actor(parsed.config.identity.agents);

  makePrivateFolder(home.stateDir);
  const { key, made } = readOrMakeKey(home);
  const store = await context.openStore(home, parsed.config);
  let configuration: 'accepted' | 'unchanged' | 'edited' = 'unchanged';
  try {
    const replaces = made && (await recordedKeys(store, key.name)).length > 0;
    if (made || (await recordedKeys(store, key.name)).length === 0) {
      await store.commit(planKey(key, actor, replaces));
    }
    const accepted = readAccepted(home);
    if (accepted === undefined) {
      await acceptConfiguration({ context, home, store, parsed, text, actor });
      configuration = 'accepted';
    } else if (accepted.digest !== parsed.digest) {
      configuration = 'edited';
    }
  } finally {
    await store.close();
  }
  if (existing === undefined) writeConfigFile(home.configFile, text);

  const result = {
    changed: existing === undefined || made || configuration === 'accepted',
    root: home.root,
    stateDir: home.stateDir,
    configFile: existing === undefined ? 'written' : 'kept',
    key: made ? 'made' : 'kept',
    verifierKey: formatVerifier(key),
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
  Ledger key     ${shown.key}; its public part, for whoever checks your ledger:
                 ${shown.verifierKey}

Next: "hone status" shows how things stand, "hone up" starts Hone.
`;
  });
  return 0;
}
