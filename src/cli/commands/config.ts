/** `hone config show|check|accept`. */
import {
  type Change,
  composeSections,
  configChanges,
  configDigest,
  expectConfig,
  formatProblems,
  parseConfig,
  pinnedDigest,
  readConfigFile,
  showConfig,
} from '../../config/index.ts';
import type { Actor, EffectDraft } from '../../facts/index.ts';
import { type Home, HomeError } from '../../home/index.ts';
import type { HoneConfig } from '../../loop/index.ts';
import { honeSections } from '../../loop/sections.ts';
import { FIXED_GATES } from '../../policy/index.ts';
import { acceptConfiguration } from '../accept-configuration.ts';
import { type Context, type Opened, withOpened } from '../context.ts';
import { present, refuse, wrap } from '../io.ts';
import { operatorOf } from '../operator-only.ts';
import { criticalNotice, sendNow } from '../tell-operators.ts';
import { weakenedKeys } from '../weakened-keys.ts';

const schema = composeSections(honeSections);

function readFile(home: Home): Uint8Array {
  const bytes = readConfigFile(home.configFile);
  if (bytes !== undefined) return bytes;
  throw new HomeError('not_initialised', `There is no ${home.configFile}.`, {
    hint: 'Run "hone init" to make one.',
  });
}

export function configCheck(context: Context): Promise<number> {
  const home = context.home();
  const parsed = parseConfig(readFile(home), 'hone.yaml', schema);
  const problems = parsed.ok ? [] : parsed.problems;
  present(context.io, { valid: parsed.ok, problems }, () =>
    parsed.ok ? 'hone.yaml is valid.\n' : formatProblems(parsed.problems),
  );
  return Promise.resolve(parsed.ok ? 0 : 2);
}

/** What is in effect, and what accepting the file would change. */
export function configShow(context: Context): Promise<number> {
  return withOpened(context, async ({ home, config, configuration }) => {
    const isOther = configuration !== 'accepted' && configuration !== 'missing';
    const file = isOther
      ? expectConfig(parseConfig(readFile(home), 'hone.yaml', schema)).config
      : config;
    const changes = configChanges(schema, config, file);
    const result = {
      configuration,
      digest: configDigest(config),
      config: showConfig(schema, config),
      changes: changes.map(({ key, before, after }) => ({
        key,
        before: before ?? null,
        after: after ?? null,
      })),
    };
    const { stringify } = await import('yaml');
    present(context.io, result, (shown) =>
      [
        `# In effect: ${shown.digest}\n`,
        stringify(shown.config),
        isOther ? `\n${otherText(configuration, changes)}` : '',
        ...fixedLines(config),
        configuration === 'missing' ? '\nhone.yaml is missing; the above stays in effect.\n' : '',
      ].join(''),
    );
    return 0;
  });
}

/** Accepted by builds that took it for a switch; worth a word to whoever relies on it. */
function fixedLines({ switches }: HoneConfig): string[] {
  return Object.entries(switches)
    .filter(([gate, mode]) => FIXED_GATES.has(gate) && mode !== 'enforce')
    .map(
      ([gate, mode]) => `\nswitches.${gate}: ${mode} has no effect: ${FIXED_GATES.get(gate)}.\n`,
    );
}

const OTHER = {
  edited: 'hone.yaml was edited',
  outdated: 'This build has other defaults than the one that accepted hone.yaml',
  unreadable: 'This build cannot read all of what was accepted',
  superseded: 'What was accepted last is not what is kept here',
} as const;

function otherText(configuration: keyof typeof OTHER, changes: readonly Change[]): string {
  const lines = changes.map(
    ({ key, before, after }) => `  ${key}: ${before ?? '(none)'} → ${after ?? '(none)'}\n`,
  );
  const what = `${OTHER[configuration]}.`;
  return changes.length === 0
    ? wrap(`${what} hone.yaml means what is in effect: "hone config accept" confirms it.`)
    : wrap(`${what} Without effect until "hone config accept":`) + lines.join('');
}

/** Where it weakens what holds about deciding and judging, it takes an operator once there is one. */
export function configAccept(context: Context, options: { digest?: string }): Promise<number> {
  return withOpened(context, async (opened) => {
    const { home, store, config, configuration } = opened;
    const bytes = readFile(home);
    const parsed = expectConfig(parseConfig(bytes, 'hone.yaml', schema));
    if (options.digest !== undefined && options.digest !== parsed.digest) {
      const edited = 'It was edited again: look at "hone config show" before you accept it.';
      return refuse(context.io, `hone.yaml is ${parsed.digest}, not ${options.digest}. ${edited}`);
    }
    const local = await context.actor(config.identity.agents);
    if (local.kind !== 'human') {
      return refuse(context.io, `${local.id} is an agent; only a person accepts a configuration.`);
    }
    const weakened = [
      ...weakenedKeys(config, parsed.config),
      ...(configuration === 'superseded' && (await pinnedDigest(store)) !== parsed.digest
        ? ['what was accepted elsewhere']
        : []),
    ];
    const who =
      weakened.length === 0 ? { actor: local, unchanged: [] } : await operatorOf(context, opened);
    if ('refused' in who) {
      return refuse(context.io, `It weakens or moves ${weakened.join(', ')}. ${who.refused}`);
    }
    const { actor, unchanged: expect } = who;
    const changes = configChanges(schema, config, parsed.config);
    const text = Buffer.from(bytes).toString();
    const effects = weakened.length === 0 ? [] : told(weakened, { context, opened, actor });
    if (
      !(await acceptConfiguration({ context, home, store, parsed, text, actor, expect, effects }))
    ) {
      return refuse(context.io, 'Somebody accepted another one just now: "hone config show".');
    }
    if (weakened.length > 0) await sendNow(context, opened);
    const wasHeld = configuration === 'unreadable' || configuration === 'superseded';
    const accepted = changes.length > 0 || wasHeld;
    present(context.io, { accepted, digest: parsed.digest }, () =>
      !accepted
        ? 'Nothing to accept: hone.yaml means what is in effect.\n'
        : `Accepted ${changes.length} ${changes.length === 1 ? 'change' : 'changes'}.\n` +
          'A running "hone up" takes it at its next start.\n',
    );
    return 0;
  });
}

function told(
  weakened: readonly string[],
  { context, opened, actor }: { context: Context; opened: Opened; actor: Actor },
): EffectDraft[] {
  return criticalNotice(opened, {
    key: `config/weakened/${context.newId('cfg')}`,
    title: `A weaker configuration was accepted by ${actor.id}`,
    text: `Weaker or moved: ${weakened.join(', ')}. If that was not one of you: hone stop-all, then hone config show.`,
  });
}
