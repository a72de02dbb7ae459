/** `hone config show|check|accept`. */
import {
  type Change,
  composeSections,
  configChanges,
  configDigest,
  expectConfig,
  formatProblems,
  parseConfig,
  readConfigFile,
  showConfig,
} from '../../config/index.ts';
import { type Home, HomeError } from '../../home/index.ts';
import { honeSections } from '../../loop/sections.ts';
import { acceptConfiguration } from '../accept-configuration.ts';
import { type Context, withOpened } from '../context.ts';
import { present, refuse } from '../io.ts';

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
    const file =
      configuration === 'edited'
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
        configuration === 'edited' ? `\n${editedText(changes)}` : '',
        configuration === 'missing' ? '\nhone.yaml is missing; the above stays in effect.\n' : '',
      ].join(''),
    );
    return 0;
  });
}

function editedText(changes: readonly Change[]): string {
  const lines = changes.map(
    ({ key, before, after }) => `  ${key}: ${before ?? '(none)'} → ${after ?? '(none)'}\n`,
  );
  return `hone.yaml was edited. Without effect until "hone config accept":\n${lines.join('')}`;
}

export function configAccept(context: Context, options: { digest?: string }): Promise<number> {
  return withOpened(context, async ({ home, store, config }) => {
    const bytes = readFile(home);
    const parsed = expectConfig(parseConfig(bytes, 'hone.yaml', schema));
    if (options.digest !== undefined && options.digest !== parsed.digest) {
      const edited = 'It was edited again: look at "hone config show" before you accept it.';
      return refuse(context.io, `hone.yaml is ${parsed.digest}, not ${options.digest}. ${edited}`);
    }
    const actor = await context.actor(config.identity.agents);
    if (actor.kind !== 'human') {
      return refuse(context.io, `${actor.id} is an agent; only a person accepts a configuration.`);
    }
    const changes = configChanges(schema, config, parsed.config);
    const text = Buffer.from(bytes).toString();
    await acceptConfiguration({ context, home, store, parsed, text, actor });
    present(context.io, { accepted: changes.length > 0, digest: parsed.digest }, () =>
      changes.length === 0
        ? 'Nothing to accept: hone.yaml means what is in effect.\n'
        : `Accepted ${changes.length} ${changes.length === 1 ? 'change' : 'changes'}.\n` +
          'A running "hone up" takes it at its next start.\n',
    );
    return 0;
  });
}
