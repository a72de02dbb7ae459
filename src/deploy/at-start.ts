/** The part of this room that every start of `hone` loads: keep it small (ADR 005). */
export { markersOf } from './installation.ts';
