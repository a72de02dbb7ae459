/** The configuration: what is in effect, and what is wrong in `hone.yaml`. */
import {
  configDigest,
  expectConfig,
  parseConfig,
  readConfigFile,
  setKeys,
  showConfig,
} from '../config/index.ts';
import type { CheckedConfiguration, ShownConfiguration } from '../contracts/configuration.ts';
import { type Home, HomeError } from '../home/index.ts';
import type { HoneConfig } from '../loop/index.ts';
import { FIXED_GATES } from '../policy/index.ts';
import { type AppContext, type Opened, withOpened } from './context.ts';
import { reviewConfiguration, schema } from './review-configuration.ts';
import { checkedOutWords, lookAtTarget, noBranchWords } from './target-look.ts';

export function readFile(home: Home): Uint8Array {
  const bytes = readConfigFile(home.configFile);
  if (bytes !== undefined) return bytes;
  throw new HomeError('not_initialised', `There is no ${home.configFile}.`, {
    hint: 'Run "hone init" to make one.',
  });
}

/** What the file says, accepted or not. Throws with its first mistakes. */
export function checkedConfig(home: Home): HoneConfig {
  return expectConfig(parseConfig(readFile(home), 'hone.yaml', schema)).config;
}

/** The file by itself, and how a valid one fits the repository. */
export async function checkConfiguration(context: AppContext): Promise<CheckedConfiguration> {
  const home = context.home();
  const file = home.isBare ? home.configFile : 'hone.yaml';
  const parsed = parseConfig(readFile(home), 'hone.yaml', schema);
  if (!parsed.ok) return { file, valid: false, warnings: [], problems: parsed.problems };
  return { file, valid: true, warnings: await warningsOf(home, parsed.config), problems: [] };
}

async function warningsOf(home: Home, config: HoneConfig): Promise<string[]> {
  const { branch } = config.deploy;
  const look = await lookAtTarget(home, config);
  return [
    ...(config.observe.sources.length === 0 ? ['observe.sources names no telemetry.'] : []),
    ...(config.target.agentFiles.length === 0 ? ['target.agentFiles names no files.'] : []),
    ...(look?.hasBranch === false ? [noBranchWords(branch)] : []),
    ...(look?.checkedOutAt === undefined ? [] : [checkedOutWords(branch, look.checkedOutAt)]),
    ...(look?.agentFiles ?? []),
  ];
}

/** What is in effect, and what accepting the file would change. Keys at their default only with `all`. */
export function showConfiguration(
  context: AppContext,
  { all = false }: { readonly all?: boolean },
): Promise<ShownConfiguration> {
  return withOpened(context, async (opened) => {
    const { config, configuration } = opened;
    const file = fileOf(opened);
    const { accepted, changes } = await reviewConfiguration(
      opened,
      file ?? { config, digest: configDigest(config) },
    );
    return {
      configuration,
      accepted,
      file: file?.digest ?? null,
      config: all ? showConfig(schema, config) : setKeys(schema, config),
      changes,
      notes: fixedLines(config),
    };
  });
}

/** Undefined if it is missing or has mistakes: what is in effect is still shown. */
function fileOf({ home, configuration }: Opened) {
  if (configuration === 'missing') return undefined;
  try {
    const parsed = parseConfig(readFile(home), 'hone.yaml', schema);
    return parsed.ok ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Earlier builds accepted it as a switch; whoever relies on it should know. */
function fixedLines({ switches }: HoneConfig): string[] {
  return Object.entries(switches)
    .filter(([gate, mode]) => FIXED_GATES.has(gate) && mode !== 'enforce')
    .map(([gate, mode]) => `switches.${gate}: ${mode} has no effect: ${FIXED_GATES.get(gate)}.`);
}
