/** Whether this installation's `hone up` receives telemetry, or another program holds the port. */
import { probeReceiver } from '../receiver-probe.ts';
import { type Finding, ok, type WithStore, warning } from './types.ts';

const PROBE_MS = 2_000;

export async function lookForReceiver({ opened }: WithStore): Promise<Finding> {
  const { address, state } = await probeReceiver(opened, PROBE_MS);
  if (state === 'off') return ok('No telemetry is received: observe.otlp.enabled is false.');
  if (state === 'free') return ok(`Nothing listens at ${address}; "hone up" would.`);
  if (state === 'listening') return ok(`Telemetry is received at ${address}.`);
  const holder = state === 'other_hone' ? 'The "hone up" of another repository' : 'Another program';
  return warning(
    `${holder} listens at ${address}: telemetry that is sent there does not come here.`,
    'Choose another observe.otlp.port, "hone config accept", and tell the agents’ exporters.',
  );
}
