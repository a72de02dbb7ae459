export { assert } from './assert.ts';
export {
  canonicalJson,
  type Digest,
  digestOf,
  digestOfBytes,
  type Json,
  sha256,
  sha256Hex,
} from './canonical.ts';
export { type CleanText, ownWords } from './clean-text.ts';
export {
  CLOCK_SLACK_MS,
  type Clock,
  isDatedAhead,
  isoTime,
  ManualClock,
  nextTurn,
  systemClock,
  withTimeout,
} from './clock.ts';
export { errorCode, errorMessage, HoneError } from './errors.ts';
export { idMaker, type NewId } from './ids.ts';
export { nodeCrypto } from './lazy-crypto.ts';
export { LOG_LEVELS, type Log, type LogFields, type LogLevel, makeLog, silentLog } from './log.ts';
export { isLoopback } from './loopback.ts';
export { type Random, randomInt, seededRandom, systemRandom } from './random.ts';
export { Recent } from './recent.ts';
