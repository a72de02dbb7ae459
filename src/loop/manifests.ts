/**
 * Every room that contributes to the whole, with its contributions: sections of `hone.yaml`, schedules, gates
 * that can be switched, and the tables that are made from its ledger entries. A new room is one line here.
 * The first word of an entry's type is its room, so entry types need no list.
 */

import { room as approve } from '../approve/room.ts';
import { room as claim } from '../claim/room.ts';
import type { GateDefault, ScheduleDefault, Section } from '../config/index.ts';
import { room as config } from '../config/room.ts';
import { room as deploy } from '../deploy/room.ts';
import { room as diagnose } from '../diagnose/room.ts';
import { room as evidence } from '../evidence/room.ts';
import { room as gateway } from '../gateway/room.ts';
import { room as identity } from '../identity/room.ts';
import { room as learn } from '../learn/room.ts';
import type { Projection } from '../ledger/index.ts';
import { room as monitor } from '../monitor/room.ts';
import { room as notify } from '../notify/room.ts';
import { room as observe } from '../observe/room.ts';
import { room as policy } from '../policy/room.ts';
import { room as process } from '../process/room.ts';
import { room as prompt } from '../prompt/room.ts';
import { room as proposal } from '../proposal/room.ts';
import { room as propose } from '../propose/room.ts';
import { room as validate } from '../validate/room.ts';
import { room as vet } from '../vet/room.ts';
import { room as loop } from './room.ts';

export interface Manifest {
  /** Its folder. */
  readonly name: string;
  readonly sections?: readonly Section[];
  /** When each runs by default; what it does is in `schedules.ts`. */
  readonly schedules?: readonly ScheduleDefault[];
  /** Keys below `switches`. */
  readonly gates?: readonly GateDefault[];
  /** What entries do to the room's tables. Made fresh for each fold, because one may count while it folds. */
  readonly projection?: () => Projection;
}

/** In the order of their sections in the file. */
export const MANIFESTS = [
  config,
  identity,
  policy,
  proposal,
  observe,
  diagnose,
  propose,
  vet,
  validate,
  approve,
  deploy,
  monitor,
  learn,
  notify,
  process,
  gateway,
  evidence,
  claim,
  prompt,
  loop,
] as const satisfies readonly Manifest[];

/** What each gate holds back. */
export function gateComments(): ReadonlyMap<string, string> {
  const all: readonly Manifest[] = MANIFESTS;
  return new Map(all.flatMap(({ gates = [] }) => gates.map((one) => [one.name, one.comment])));
}

/** Every table that is made from the ledger. */
export function makeProjections(): Projection[] {
  const all: readonly Manifest[] = MANIFESTS;
  return all.flatMap(({ projection }) => (projection === undefined ? [] : [projection()]));
}
