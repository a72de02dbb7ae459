import { HoneError } from '../base/index.ts';

export type MonitorErrorCode =
  /** There is no deployment to watch. */
  | 'not_deployed'
  /** The kept baseline cannot be read. */
  | 'bad_baseline';

export class MonitorError extends HoneError<MonitorErrorCode> {}
