/** Who listens where this installation's receiver would: its `hone up`, another's, another program, or nobody. */
import { systemClock, withTimeout } from '../base/index.ts';
import type { Opened } from './context.ts';
import { otlpDoorName } from './otlp-door-name.ts';

export interface ReceiverProbe {
  /** `127.0.0.1:4318` */
  readonly address: string;
  /** `off`: it is switched off. `free`: nobody listens there. */
  readonly state: 'off' | 'free' | 'listening' | 'other_hone' | 'other_program';
}

/** Asks for at most `waitMs`. */
export async function probeReceiver(
  { config, home }: Pick<Opened, 'config' | 'home'>,
  waitMs: number,
): Promise<ReceiverProbe> {
  const { enabled, host, port } = config.observe.otlp;
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (!enabled) return { address, state: 'off' };
  const who = await answering(address, waitMs);
  if (who === undefined) return { address, state: 'free' };
  if (who === otlpDoorName(home.id)) return { address, state: 'listening' };
  return { address, state: who.startsWith('hone/') ? 'other_hone' : 'other_program' };
}

/** By its `Server` header; undefined if nobody answers. */
async function answering(address: string, waitMs: number): Promise<string | undefined> {
  try {
    const answer = await withTimeout(systemClock, waitMs, (signal) =>
      fetch(`http://${address}/v1/traces`, { signal }),
    );
    return answer.headers.get('server') ?? '';
  } catch {
    return undefined;
  }
}
