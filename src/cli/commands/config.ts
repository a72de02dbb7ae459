/** `hone config show|check`. */
import { checkConfiguration, showConfiguration } from '../../app/configuration.ts';
import type { CheckedConfiguration, ShownConfiguration } from '../../contracts/configuration.ts';
import { answer } from '../answer.ts';
import { changeLines } from '../change-lines.ts';
import type { Context } from '../context.ts';
import { plainLine } from '../io.ts';
import { fields, fitLines, wrap } from '../layout.ts';

/** Warnings change no exit code. */
export function configCheck(context: Context): Promise<number> {
  return answer(
    context,
    checkConfiguration(context),
    (checked) => checkText(checked, context.io.columns),
    ({ valid }) => (valid ? 0 : 2),
  );
}

function checkText(
  { file, valid, warnings, problems }: CheckedConfiguration,
  columns: number,
): string {
  if (valid) {
    const lines = warnings.map((one) => wrap(plainLine(one), columns));
    return `${plainLine(file)} is valid.\n${lines.join('')}`;
  }
  const lines = problems.map((one) => `${one.file}:${one.line}:${one.column}: ${one.message}`);
  return fitLines(lines.join('\n'), columns);
}

export async function configShow(context: Context, options: { all?: true }): Promise<number> {
  const { stringify } = await import('yaml');
  const { columns } = context.io;
  return answer(context, showConfiguration(context, options), (shown) =>
    [
      fields(
        [
          ['accepted:', shown.accepted ?? 'nothing'],
          ['hone.yaml:', shown.file ?? noFile(shown)],
        ],
        columns,
        '# ',
      ),
      stringify(shown.config),
      options.all === true ? '' : wrap(DEFAULTS, columns, '# '),
      otherText(shown, columns),
      ...shown.notes.map((line) => `\n${wrap(line, columns)}`),
    ].join(''),
  );
}

const DEFAULTS = 'Every other key has its default: "hone config show --all"';

const noFile = ({ configuration }: ShownConfiguration) =>
  configuration === 'missing' ? 'missing' : 'not valid, see "hone config check"';

const OTHER = {
  edited: 'hone.yaml was edited.',
  outdated:
    'This build reads the accepted configuration differently, so it only watches and rolls back.',
  unreadable:
    'This build cannot read all of the accepted configuration. It only watches and rolls back, with defaults for what it cannot read.',
  superseded:
    'The configuration kept here is not the one accepted last, so Hone only watches and rolls back.',
} as const;

function otherText({ configuration, changes }: ShownConfiguration, columns: number): string {
  if (configuration === 'accepted') return '';
  if (configuration === 'missing')
    return `\n${wrap('hone.yaml is missing; the accepted configuration stays in effect.', columns)}`;
  const what = OTHER[configuration];
  const text =
    changes.length === 0
      ? wrap(`${what} hone.yaml says what is in effect. "hone config accept" confirms it.`, columns)
      : wrap(`${what} These changes have no effect until "hone config accept":`, columns) +
        changeLines(changes, columns);
  return `\n${text}`;
}
