/** `hone config show|check`. */

import { type Opened, withOpened } from '../../app/context.ts';
import { type Review, reviewConfiguration, schema } from '../../app/review-configuration.ts';
import { checkedOutWords, lookAtTarget, noBranchWords } from '../../app/target-look.ts';
import {
  configDigest,
  formatProblems,
  parseConfig,
  readConfigFile,
  setKeys,
  showConfig,
} from '../../config/index.ts';
import { type Home, HomeError } from '../../home/index.ts';
import type { HoneConfig } from '../../loop/index.ts';
import { FIXED_GATES } from '../../policy/index.ts';
import { changeLines } from '../change-lines.ts';
import type { Context } from '../context.ts';
import { type Io, plainLine, present } from '../io.ts';
import { fields, fitLines, wrap } from '../layout.ts';

export function readFile(home: Home): Uint8Array {
  const bytes = readConfigFile(home.configFile);
  if (bytes !== undefined) return bytes;
  throw new HomeError('not_initialised', `There is no ${home.configFile}.`, {
    hint: 'Run "hone init" to make one.',
  });
}

/** The file by itself, and how a valid one fits the repository: that changes no exit code. */
export async function configCheck(context: Context): Promise<number> {
  const home = context.home();
  const parsed = parseConfig(readFile(home), 'hone.yaml', schema);
  const problems = parsed.ok ? [] : parsed.problems;
  const warnings = parsed.ok ? await warningsOf(home, parsed.config) : [];
  const name = home.isBare ? plainLine(home.configFile) : 'hone.yaml';
  const { columns } = context.io;
  present(context.io, { valid: parsed.ok, warnings, problems }, () =>
    parsed.ok
      ? `${name} is valid.\n${warnings.map((one) => wrap(plainLine(one), columns)).join('')}`
      : fitLines(formatProblems(parsed.problems), columns),
  );
  return parsed.ok ? 0 : 2;
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

/** What is in effect, and what accepting the file would change. Keys at their default only with `--all`. */
export function configShow(context: Context, options: { all?: true }): Promise<number> {
  return withOpened(context, async (opened) => {
    const { config, configuration } = opened;
    const file = fileOf(opened);
    const review = await reviewConfiguration(
      opened,
      file ?? { config, digest: configDigest(config) },
    );
    const shown = showConfig(schema, config);
    const result = {
      configuration,
      accepted: review.accepted,
      file: file?.digest ?? null,
      config: options.all === true ? shown : setKeys(schema, config),
      changes: review.changes,
    };
    const { stringify } = await import('yaml');
    present(context.io, result, () =>
      [
        fields(
          [
            ['accepted:', result.accepted ?? 'nothing'],
            [
              'hone.yaml:',
              result.file ?? NO_FILE[configuration === 'missing' ? 'missing' : 'mistakes'],
            ],
          ],
          context.io.columns,
          '# ',
        ),
        stringify(result.config),
        options.all === true ? '' : wrap(DEFAULTS, context.io.columns, '# '),
        otherText(opened, review, context.io),
        ...fixedLines(config).map((line) => `\n${wrap(line, context.io.columns)}`),
      ].join(''),
    );
    return 0;
  });
}

const DEFAULTS = 'Every other key has its default: "hone config show --all"';
const NO_FILE = { missing: 'missing', mistakes: 'not valid, see "hone config check"' };

/** Undefined where it is missing or has mistakes: what is in effect is shown all the same. */
function fileOf({ home, configuration }: Opened) {
  if (configuration === 'missing') return undefined;
  try {
    const parsed = parseConfig(readFile(home), 'hone.yaml', schema);
    return parsed.ok ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Accepted by builds that took it for a switch; worth a word to whoever relies on it. */
function fixedLines({ switches }: HoneConfig): string[] {
  return Object.entries(switches)
    .filter(([gate, mode]) => FIXED_GATES.has(gate) && mode !== 'enforce')
    .map(([gate, mode]) => `switches.${gate}: ${mode} has no effect: ${FIXED_GATES.get(gate)}.`);
}

const OTHER = {
  edited: 'hone.yaml was edited.',
  outdated: 'What was accepted means something else to this build: it only watches and rolls back.',
  unreadable:
    'This build cannot read all of what was accepted: it only watches and rolls back, with the defaults for what it cannot read.',
  superseded: 'What was accepted last is not what is kept here: Hone only watches and rolls back.',
} as const;

function otherText({ configuration }: Opened, { changes }: Review, { columns }: Io): string {
  if (configuration === 'accepted') return '';
  if (configuration === 'missing')
    return `\n${wrap('hone.yaml is missing; what was accepted stays in effect.', columns)}`;
  const what = OTHER[configuration];
  const text =
    changes.length === 0
      ? wrap(
          `${what} hone.yaml means what is in effect: "hone config accept" confirms it.`,
          columns,
        )
      : wrap(`${what} Without effect until "hone config accept":`, columns) +
        changeLines(changes, columns);
  return `\n${text}`;
}
