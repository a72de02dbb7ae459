/** Whether this installation's `hone up` receives telemetry, or another program holds the port. */
import { systemClock, withTimeout } from '../../base/index.ts';
import { otlpDoorName } from '../otlp-door-name.ts';
import { type Finding, ok, type WithStore, warning } from './types.ts';

const PROBE_MS = 2_000;

export async function lookForReceiver({ opened }: WithStore): Promise<Finding> {
  const { enabled, host, port } = opened.config.observe.otlp;
  if (!enabled) return ok('No telemetry is received: observe.otlp.enabled is false.');
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const who = await answering(place);
  if (who === undefined) return ok(`Nothing listens at ${place}; "hone up" would.`);
  if (who === otlpDoorName(opened.home.id)) return ok(`Telemetry is received at ${place}.`);
  const holder = who.startsWith('hone/')
    ? 'The "hone up" of another repository'
    : 'Another program';
  return warning(
    `${holder} listens at ${place}: telemetry that is sent there does not come here.`,
    'Choose another observe.otlp.port, "hone config accept", and tell the agents’ exporters.',
  );
}

/** By its `Server` header; undefined if nobody answers. */
async function answering(place: string): Promise<string | undefined> {
  try {
    const answer = await withTimeout(systemClock, PROBE_MS, (signal) =>
      fetch(`http://${place}/v1/traces`, { signal }),
    );
    return answer.headers.get('server') ?? '';
  } catch {
    return undefined;
  }
}
