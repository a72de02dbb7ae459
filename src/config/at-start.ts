/** The part of this room that every start of `hone` loads: keep it small (ADR 005). */
export { isLoopback } from '../base/index.ts';
export { readConfigFile } from './node-files.ts';
export { type AcceptedLast, acceptedLast, isAcceptedLast } from './pin.ts';
