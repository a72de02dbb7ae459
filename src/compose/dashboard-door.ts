/** The door of the dashboard: sessions, keys for them, and the file by which `hone open` finds the server. */
import { createHash } from 'node:crypto';
import { type DoorFile, dropDoorFile, writeDoorFile } from '../app/door-file.ts';
import { DoorKeys } from '../app/door-key.ts';
import type { Clock, Random } from '../base/index.ts';
import type { Home } from '../home/index.ts';
import { doorRoutes, Sessions } from '../http/index.ts';

type Bearer = Parameters<typeof doorRoutes>[0]['bearer'];

export interface DashboardDoor {
  readonly sessions: Sessions;
  readonly cookieName: string;
  readonly routes: ReturnType<typeof doorRoutes>;
  readonly secret: string;
  /** Lets `hone open` find it. */
  announce(url: string): AsyncDisposable;
}

export function dashboardDoor(
  home: Home,
  ports: {
    readonly clock: Clock;
    readonly random: Random;
    readonly isSecure: boolean;
    /** Only this machine reaches it. */
    readonly isLocal: boolean;
    readonly bearer: Bearer;
  },
): DashboardDoor {
  const secret = Buffer.from(ports.random.bytes(32)).toString('base64url');
  const sessions = new Sessions(ports);
  // Cookies are the host's, whatever the port: two installations on one machine need two names.
  const cookieName = `hone_${createHash('sha256').update(home.id).digest('hex').slice(0, 12)}`;
  const keys = ports.isLocal ? new DoorKeys(secret) : undefined;
  return {
    sessions,
    cookieName,
    secret,
    routes: doorRoutes({ ...ports, sessions, cookieName, keys }),
    announce: (url) => {
      const door: DoorFile = { url, pid: process.pid, secret };
      writeDoorFile(home, door);
      return {
        [Symbol.asyncDispose]: () => {
          dropDoorFile(home, door);
          return Promise.resolve();
        },
      };
    },
  };
}
