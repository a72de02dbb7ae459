/** The part of this room that every start of `hone` loads: keep it small (ADR 005). */
export { smallSha256Hex } from './small-sha256.ts';
