export { type Clock, isoTime, ManualClock, systemClock } from './clock.ts';
export { errorCode, errorMessage, HoneError } from './errors.ts';
export { type Random, randomInt, seededRandom, systemRandom } from './random.ts';
