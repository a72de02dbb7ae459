/** The real receiver on a free port, with a telemetry store in memory behind it. */
import { type TelemetryReceiver, telemetryReceiver } from '../app/receive-telemetry.ts';
import { type Log, silentLog } from '../base/index.ts';
import { storedEvents } from '../observe/telemetry.test-support.ts';
import { openSqlite, type Store, telemetryMigrations } from '../store/index.ts';
import { type OtlpDoor, type OtlpDoorOptions, openOtlpDoor } from './otlp-door.ts';

export const TOKEN = 'hone_token_of_an_agent';

export interface Receiving extends AsyncDisposable {
  readonly door: OtlpDoor;
  readonly store: Store;
  readonly receiver: TelemetryReceiver;
  events(): Promise<Record<string, unknown>[]>;
}

export async function receive(
  more: Partial<OtlpDoorOptions> & { readonly heldBytes?: number; readonly into?: Store } = {},
): Promise<Receiving> {
  const own =
    more.into ??
    (await openSqlite({ path: ':memory:', synchronous: 'off', migrations: telemetryMigrations }));
  const maxRequest = (more.heldBytes ?? 32 * 1024 * 1024) / 2;
  const settings = {
    sources: [],
    allowedDomains: [],
    allowedPaths: [],
    redactUuids: false,
    otlp: { maxRequest },
  };
  const log: Log = more.log ?? silentLog;
  const ports = { telemetry: own, config: { observe: settings } };
  const receiver = telemetryReceiver({ ports } as never, log);
  const door = await openOtlpDoor({
    receiver,
    host: '127.0.0.1',
    port: 0,
    guard: { allowedHosts: [], allowedOrigins: ['http://trusted.example'] },
    needsToken: false,
    bodyBytesMax: 16 * 1024 * 1024,
    name: 'hone/test',
    log,
    isKnown: async (secret) => secret === TOKEN,
    ...more,
  });
  return {
    door,
    store: own,
    receiver,
    events: () => storedEvents(own),
    [Symbol.asyncDispose]: async () => {
      await door.stop();
      if (more.into === undefined) await own.close();
    },
  };
}

export const span = (more: object = {}) => ({
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: 'eee19b7ec3c1b174',
  name: 'execute_tool search',
  kind: 1,
  startTimeUnixNano: '1763287200000000000',
  endTimeUnixNano: '1763287201500000000',
  attributes: [attribute('gen_ai.operation.name', 'execute_tool')],
  ...more,
});

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });

export const traces = (...spans: object[]) => ({
  resourceSpans: [
    {
      resource: { attributes: [attribute('service.name', 'agent')] },
      scopeSpans: [{ scope: { name: 'lib' }, spans }],
    },
  ],
});

export const JSON_TYPE = { 'content-type': 'application/json' };

export function post(
  { door }: Pick<Receiving, 'door'>,
  body: NonNullable<RequestInit['body']>,
  { path = '/v1/traces', headers = JSON_TYPE as Record<string, string> } = {},
): Promise<Response> {
  return fetch(`${door.url}${path}`, { method: 'POST', body, headers });
}
