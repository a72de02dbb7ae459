/** By which the receiver of this installation is known from another program's on the same port: its `Server` header. */
import { sha256Hex } from '../base/index.ts';

/** A hash, because anybody on the machine can read it. */
export function otlpDoorName(homeId: string): string {
  return `hone/${sha256Hex(homeId).slice(0, 12)}`;
}
