export { recordedReplay } from './recorded-replay.ts';
