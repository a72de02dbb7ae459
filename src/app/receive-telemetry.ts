/**
 * Telemetry that is sent to `hone up` (OTLP): taken in, stored, and answered in the request's own encoding. It needs
 * no role: a sender with a token is known, any other is kept apart from those that are.
 */
import type { Log } from '../base/index.ts';
import {
  type Encoding,
  type Pushed,
  type Signal,
  statusBody,
  successBody,
  TelemetryPush,
} from '../observe/index.ts';
import type { OpenLoop } from './context.ts';

export interface OtlpAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

interface OtlpBody {
  readonly signal: Signal;
  readonly encoding: Encoding;
  readonly body: Uint8Array;
}

/** One request from its first byte to its answer. */
export interface TelemetryIntake extends Disposable {
  /** Counts bytes that are held for it; false if there is no room for them now. */
  take(bytes: number): boolean;
  /** Answered when it is stored, or cannot be. */
  send(body: OtlpBody): Promise<OtlpAnswer>;
}

export interface TelemetryReceiver {
  open(sender: 'anonymous' | 'token'): TelemetryIntake;
  refuse(encoding: Encoding, status: number, message: string): Promise<OtlpAnswer>;
  /** Until everything that came was answered. */
  idle(): Promise<void>;
}

export function telemetryReceiver({ ports }: OpenLoop, log: Log): TelemetryReceiver {
  const { telemetry: store, config } = ports;
  // Two of the largest requests fit: one that is read while another is stored.
  const heldBytesMax = 2 * config.observe.otlp.maxRequest;
  const push = new TelemetryPush({ store, settings: config.observe, log, heldBytesMax });
  return {
    open: (sender) => {
      const intake = push.open(sender);
      return {
        take: (bytes) => intake.take(bytes),
        send: async (given) => answerTo(given, await intake.send(given)),
        [Symbol.dispose]: () => intake[Symbol.dispose](),
      };
    },
    refuse: refusal,
    idle: () => push.idle(),
  };
}

async function answerTo({ encoding, signal }: OtlpBody, pushed: Pushed): Promise<OtlpAnswer> {
  if (pushed.ok) return { status: 200, body: await successBody(encoding, signal, pushed) };
  return refusal(encoding, pushed.why === 'unreadable' ? 400 : 503, pushed.message);
}

async function refusal(encoding: Encoding, status: number, message: string): Promise<OtlpAnswer> {
  const code = RPC_CODES[status] ?? UNKNOWN;
  return { status, body: await statusBody(encoding, { code, message }) };
}

const UNKNOWN = 2;
/** gRPC's codes, which a `Status` has, by the status of HTTP. */
const RPC_CODES: Readonly<Record<number, number>> = {
  400: 3,
  401: 16,
  403: 7,
  404: 12,
  405: 12,
  413: 8,
  415: 3,
  429: 8,
  503: 14,
};
