/** The part of this room that every start of `hone` loads: keep it small (ADR 005). */
export { deployedSince, PULL_REQUESTS } from './deployed-since.ts';
export { markersOf } from './installation.ts';
