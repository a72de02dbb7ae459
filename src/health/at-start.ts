/** The part of this room that every start of `hone` loads: keep it small (ADR 005). */

export { type Baseline, judgeBaseline } from './baseline.ts';
export { ownHealth } from './health.ts';
