/** The address at which whoever asks can open the dashboard of the running server, once and within a minute. */
import { systemClock, withTimeout } from '../base/index.ts';
import { isLoopback } from '../config/at-start.ts';
import type { OpenedDashboard } from '../contracts/server.ts';
import { type AppContext, withOpened } from './context.ts';
import { readDoorFile } from './door-file.ts';
import { DOOR_KEY_MS, makeDoorKey } from './door-key.ts';
import type { Refusal } from './refusal.ts';

/** On this machine: a server that does not answer in that time is not there. */
const ANSWER_MS = 2_000;

export function openDashboard(context: AppContext): Promise<OpenedDashboard | Refusal> {
  return withOpened(context, async ({ home, config }): Promise<OpenedDashboard | Refusal> => {
    const door = readDoorFile(home);
    if (door === undefined) return { refused: NOT_UP };
    const { url } = door;
    // Others reach it as well: there a token says who somebody is, and its certificate need not be known here.
    if (!isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, '')))
      return { url, local: false, validMs: null };
    if (!(await isAnswering(url))) return { refused: NOT_UP };
    const actor = await context.actor(config.identity.agents);
    const asked = { nowMs: context.clock.nowMs(), random: context.random };
    const key = makeDoorKey(door.secret, actor, asked);
    return { url: keyedUrl(url, key), local: true, validMs: DOOR_KEY_MS };
  });
}

export const keyedUrl = (url: string, key: string) => `${url}/open?key=${key}`;

const NOT_UP = 'No server of this installation answers. Start it with "hone up".';

async function isAnswering(url: string): Promise<boolean> {
  try {
    const answer = await withTimeout(systemClock, ANSWER_MS, (signal) =>
      fetch(`${url}/healthz`, { signal }),
    );
    return answer.ok;
  } catch {
    return false;
  }
}
