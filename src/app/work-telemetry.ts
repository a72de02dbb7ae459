/**
 * What the gates of agents at work refuse, ask or let pass, as telemetry that the loop reads like any other. A decision
 * was made and recorded before: telemetry that cannot be stored changes nothing about it, and is said in the log.
 */
import { errorMessage } from '../base/index.ts';
import type { Event } from '../facts/index.ts';
import { storeOwnEvents } from '../observe/index.ts';
import type { AppContext, OpenLoop } from './context.ts';

export async function recordWork(
  { random }: Pick<AppContext, 'random'>,
  { ports }: Pick<OpenLoop, 'ports'>,
  events: readonly Event[],
): Promise<void> {
  if (events.length === 0) return;
  const { telemetry: store, config, log } = ports;
  try {
    if (await storeOwnEvents(events, { store, settings: config.observe, random })) return;
    log.warn('telemetry of a task was not stored: others were always faster');
  } catch (error) {
    log.warn('telemetry of a task was not stored', { error: errorMessage(error) });
  }
}
