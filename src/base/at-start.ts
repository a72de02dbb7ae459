/** What every start of `hone` loads of this room: light, and nothing beside it (ADR 005). */
export { smallSha256Hex } from './small-sha256.ts';
