/** `hone hooks install|off|probe`: the hooks of Claude Code and Codex. */
import { hooksOff, installHooks } from '../../app/hooks.ts';
import { probeHooks } from '../../app/hooks-probe.ts';
import type { HookClient } from '../../facts/index.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { plainLine } from '../io.ts';
import { wrap } from '../layout.ts';
import { shownLines } from '../shown.ts';

export function hooksInstall(
  context: Context,
  client: HookClient,
  { write }: { write?: boolean },
): Promise<number> {
  const { columns } = context.io;
  const hone = [process.execPath, process.argv[1]!];
  const asked = installHooks(context, client, { hone, write: write === true });
  return answer(context, asked, ({ file, diff, written, mode }) =>
    [
      `${plainLine(file)}\n`,
      diff === '' ? 'Nothing changes.\n' : `${shownLines(diff)}\n`,
      wrap(
        written
          ? `Written. The hooks ${mode === 'enforce' ? 'enforce' : `only ${mode}; "hone switch set hooks enforce" makes them refuse`}. "hone hooks probe" tries them.${client === 'codex' ? ' Codex asks a hook only after you reviewed and trusted it there.' : ''}`
          : 'Nothing is written yet: run it again with --write.',
        columns,
      ),
    ].join(''),
  );
}

export function hooksRemove(context: Context, { reason }: { reason: string }): Promise<number> {
  return answer(context, hooksOff(context, reason), ({ files, recorded }) => {
    if (files.length === 0)
      return recorded
        ? 'It is recorded that the hooks stay away.\n'
        : 'No hooks of Hone are installed here.\n';
    const where = files.map((file) => `  ${plainLine(file)}\n`).join('');
    return `Removed from\n${where}${recorded ? '' : 'It could not be recorded.\n'}`;
  });
}

export function hooksProbe(context: Context): Promise<number> {
  const { columns } = context.io;
  return answer(
    context,
    probeHooks(context),
    ({ probes }) =>
      probes
        .map(({ client, verdict, why }) =>
          wrap(`${client}: ${verdict}. ${plainLine(why)}`, columns),
        )
        .join(''),
    ({ probes }) =>
      probes.every(({ verdict }) => verdict === 'proven' || verdict === 'not installed') ? 0 : 1,
  );
}
