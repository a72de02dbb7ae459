/** What every start of `hone` loads of this room: light, and nothing beside it (ADR 005). */
export { isLoopback } from './loopback.ts';
export { readConfigFile } from './node-files.ts';
export { type AcceptedLast, acceptedLast, isAcceptedLast } from './pin.ts';
