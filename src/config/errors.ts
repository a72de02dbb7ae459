/** The room's faults. A bad `hone.yaml` is not a fault: `parseConfig` returns its problems. */
import { HoneError } from '../base/index.ts';

export type ConfigErrorCode =
  /** `hone.yaml` has problems and the caller cannot go on without it. */
  | 'invalid'
  /** `hone.yaml` is there and cannot be read. */
  | 'unreadable'
  /** The folder to look at cannot be listed. */
  | 'no_target';

export class ConfigError extends HoneError<ConfigErrorCode> {}
