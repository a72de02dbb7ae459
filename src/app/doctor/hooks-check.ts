/** Whether the hooks of coding agents deny, by running what their settings name; the client itself is left to the probe. */
import { lookAtHooks } from '../hook-records.ts';
import { tryHook } from '../hooks-probe.ts';
import { error, type Finding, ok, type WithStore, warning } from './types.ts';

const PROBE = '"hone hooks probe" tries the client, too.';

export async function lookAtHookCommands({ context, opened }: WithStore): Promise<Finding> {
  const looks = await lookAtHooks(context, opened);
  const probes = [];
  for (const look of looks) {
    const probe = await tryHook(context, opened, look, 'only command');
    // What the client itself did was tried before, and is on record.
    const isProven = probe.why === 'The command denies.' && look.record?.verdict === 'proven';
    if (probe.verdict !== 'not installed')
      probes.push({
        ...probe,
        ...(isProven ? { verdict: 'proven', why: 'The client honours it.' } : {}),
      });
  }
  if (probes.length === 0) return ok('None are installed ("hone hooks install").');
  const words = probes.map(({ client, verdict, why }) => `${client} ${verdict}: ${why}`).join(' ');
  if (probes.some(({ verdict }) => verdict === 'taken away'))
    return error(words, '"hone hooks install CLIENT --write" puts them back.');
  return probes.every(({ verdict }) => verdict === 'proven') ? ok(words) : warning(words, PROBE);
}
