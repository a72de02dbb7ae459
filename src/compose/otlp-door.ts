/**
 * The receiver of telemetry in `hone up`. A port that another program holds is no reason not to start: it is reported,
 * and tried again until it is free.
 */
import type { Opened, OpenLoop } from '../app/context.ts';
import { otlpDoorName } from '../app/otlp-door-name.ts';
import { telemetryReceiver } from '../app/receive-telemetry.ts';
import { errorMessage, type Log } from '../base/index.ts';
import { isLoopback } from '../config/at-start.ts';
import { type OtlpDoor, openOtlpDoor, type Worker } from '../http/index.ts';

const AGAIN_MS = 30_000;

export interface TelemetryDoor extends AsyncDisposable {
  /** Where it listens; undefined while it does not. */
  readonly url: string | undefined;
  /** Why it does not listen; undefined if it does, or is switched off. */
  readonly fault: string | undefined;
  readonly worker: Worker;
}

export async function telemetryDoor(
  { opened, open }: { readonly opened: Opened; readonly open: OpenLoop },
  ports: {
    readonly log: Log;
    /** Instead of the configured one. */
    readonly port?: number | undefined;
    isKnown(secret: string): Promise<boolean>;
  },
): Promise<TelemetryDoor> {
  const { config, home } = opened;
  const { enabled, host, port, senders, maxRequest } = config.observe.otlp;
  const { log } = ports;
  const receiver = telemetryReceiver(open, log);
  let door: OtlpDoor | undefined;
  let fault: string | undefined;
  const listen = async () => {
    try {
      door = await openOtlpDoor({
        receiver,
        host,
        port: ports.port ?? port,
        guard: config.server,
        // Whoever is not on this machine has to be known.
        needsToken: senders === 'known' || !isLoopback(host),
        bodyBytesMax: maxRequest,
        name: otlpDoorName(home.id),
        log,
        isKnown: (secret) => ports.isKnown(secret),
      });
      if (fault !== undefined) log.info('telemetry is received', { url: door.url });
      fault = undefined;
    } catch (error) {
      const why = errorMessage(error);
      if (why !== fault) log.warn('no telemetry is received', { why });
      fault = why;
    }
  };
  if (enabled) await listen();
  return {
    get url() {
      return door?.url;
    },
    get fault() {
      return fault;
    },
    worker: {
      name: 'telemetry door',
      run: async () => {
        if (enabled && door === undefined) await listen();
        return { againInMs: AGAIN_MS };
      },
    },
    [Symbol.asyncDispose]: async () => {
      await door?.stop();
    },
  };
}
