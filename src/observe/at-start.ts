/** The part of this room that every start of `hone` loads: keep it small (ADR 005). */

export { fleetHours } from './fleet-hours.ts';
export { pushedLastHour } from './pushed-sources.ts';
