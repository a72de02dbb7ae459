/**
 * How the hooks of coding agents stand: what is on record, and what the clients' settings say now. Loads little: `hone
 * status` and every step of a task ask for it.
 */
import { hostname } from 'node:os';
import { isoTime, sha256Hex } from '../base/index.ts';
import type { HookStanding } from '../contracts/hooks.ts';
import { HOOK_CLIENTS, type HookClient } from '../facts/index.ts';
import { type HookRecord, readHooks } from '../gateway/at-start.ts';
import type { AppContext, Opened } from './context.ts';
import { type Standing, standingHook } from './hook-settings.ts';

type Here = Pick<AppContext, 'environment'>;

/** One working tree on one machine: settings are files there. Neither is named in the record. */
export const placeOf = ({ home }: Pick<Opened, 'home'>): string =>
  sha256Hex(`${hostname()}\n${home.root}`).slice(0, 16);

export interface HookLook {
  readonly client: HookClient;
  readonly record: HookRecord | undefined;
  readonly standing: Standing;
}

export async function lookAtHooks(
  { environment }: Here,
  opened: Pick<Opened, 'home' | 'store'>,
): Promise<HookLook[]> {
  const place = placeOf(opened);
  const records = await readHooks(opened.store);
  return HOOK_CLIENTS.map((client) => ({
    client,
    record: records.find((one) => one.client === client && one.place === place),
    standing: standingHook(opened.home.root, client, environment),
  }));
}

/** It was installed, and is not there any more, and no operator said so. */
export const isTakenAway = ({ record, standing }: HookLook): boolean =>
  record?.state === 'gone' || (record?.state === 'installed' && 'missing' in standing);

/** Clients whose hooks somebody took away: here, or on record in another place. */
export async function ungovernedClients(
  context: Here,
  opened: Pick<Opened, 'home' | 'store'>,
): Promise<string[]> {
  const here = placeOf(opened);
  const elsewhere = (await readHooks(opened.store)).filter(
    ({ place, state }) => place !== here && state === 'gone',
  );
  const taken = (await lookAtHooks(context, opened)).filter(isTakenAway);
  return [...new Set([...taken, ...elsewhere].map(({ client }) => client))].sort();
}

/** For `hone status`: none where hooks were never installed. */
export async function hookStandings(
  context: Here,
  opened: Pick<Opened, 'home' | 'store'>,
): Promise<HookStanding[]> {
  return (await lookAtHooks(context, opened)).flatMap((look): HookStanding[] => {
    const { client, record, standing } = look;
    const probedAt = record?.probedAtMs == null ? null : isoTime(record.probedAtMs);
    if (isTakenAway(look)) {
      const why =
        'missing' in standing ? standing.missing : 'Somebody without an operator’s token did it.';
      return [{ client, verdict: 'taken away', why, probedAt }];
    }
    if ('missing' in standing) return [];
    const isProven = record?.verdict === 'proven';
    const why = record?.why ?? '"hone hooks probe" tries them.';
    return [{ client, verdict: isProven ? 'proven' : 'not proven', why, probedAt }];
  });
}
