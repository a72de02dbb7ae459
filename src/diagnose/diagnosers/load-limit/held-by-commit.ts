/**
 * Whose wait grew right before places became full: calls that the former wait would have cut off hold most of the time now. What is refused
 * for it is everybody's, so that it is found by what is held and not by who fails. Pure.
 */
import { isoTime } from '../../../base/index.ts';
import { quotedName } from '../../../text/index.ts';
import type { LoadedCall } from '../../load-limit.ts';
import { isAnothers, ownershipOf } from '../../ownership.ts';
import { placeName, settingSubject } from '../../subjects.ts';
import type { Cause, Evidence, Failure, Setting, TargetEdit } from '../../types.ts';
import { courseOfFailure } from '../../why-now.ts';
import { percent } from '../../wording.ts';
import { UNIT_MS } from '../setting-limit/quantities.ts';

/** A change shows at once, or when its agents are next started: rarely later than this. */
const LAG_MS = 6 * 3_600_000;
const HELD_SHARE = 0.5;
/** What was held as long before is not held by it. */
const HELD_BEFORE = 0.5;
const CONFIDENCE = 0.9;

type ValueEdit = TargetEdit & { readonly kind: 'value' };

export function heldByCommit(
  failure: Failure,
  evidence: Evidence,
  calls: readonly LoadedCall[],
): Cause[] {
  const { episode } = courseOfFailure(failure, evidence.failureShare);
  if (episode === null) return [];
  const near = (evidence.edits ?? []).filter(
    (edit): edit is ValueEdit =>
      edit.kind === 'value' &&
      edit.atMs <= episode.fromHighMs &&
      edit.atMs >= episode.fromLowMs - LAG_MS,
  );
  return near.flatMap((edit) => causeOf(edit, { failure, evidence, calls }) ?? []);
}

function causeOf(
  { file, path, commit, parent, before, after, atMs }: ValueEdit,
  {
    failure,
    evidence,
    calls,
  }: {
    readonly failure: Failure;
    readonly evidence: Evidence;
    readonly calls: readonly LoadedCall[];
  },
): Cause | undefined {
  if (typeof before !== 'number' || typeof after !== 'number' || after <= before) return undefined;
  const setting = evidence.settings.find(
    (one) => one.file === file && one.path.join('\n') === path.join('\n'),
  );
  if (setting?.value !== after) return undefined;
  // Without a unit it may be seconds, which says less of calls than milliseconds would.
  const beforeMs = before * UNIT_MS[setting.unit ?? 's'];
  const owners = ownersOf(setting, calls, evidence);
  const own = ({ agent, tool }: LoadedCall) => owners.has(`${agent} ${tool}`);
  const [earlier, since] = [true, false].map((isEarlier) =>
    heldShare(
      calls.filter(({ startMs }) => startMs < atMs === isEarlier),
      (call) => own(call) && lastsMs(call) > beforeMs,
    ),
  ) as [number, number];
  if (since < HELD_SHARE || earlier > since * HELD_BEFORE) return undefined;
  const text = `The commit ${commit.slice(0, 12)} of ${isoTime(atMs)} raised ${placeName(path, file, setting.line)} from ${before} to ${after}. Calls that take longer than before it was raised hold ${percent(since)} of the time that ${quotedName(failure.tool)} is busy since then.`;
  return {
    subject: {
      ...settingSubject(setting, failure, evidence),
      before: { commit, parent, value: before },
    },
    layer: 'settings',
    confidence: CONFIDENCE,
    reasons: [{ text, events: failure.examples.map(({ id }) => id) }],
    against: [],
  };
}

/** The agents and tools that it may be for, among those that call. */
function ownersOf(
  setting: Setting,
  calls: readonly LoadedCall[],
  { settings }: Evidence,
): ReadonlySet<string> {
  const places = new Map(calls.map(({ agent, tool }) => [`${agent} ${tool}`, { agent, tool }]));
  const isOwner = ({ agent, tool }: { readonly agent: string; readonly tool: string }) =>
    ['agent', 'tool', 'both'].includes(ownershipOf(setting, agent, tool)) &&
    !isAnothers(setting, settings, { agent, tool });
  return new Set([...places].flatMap(([key, place]) => (isOwner(place) ? [key] : [])));
}

const lastsMs = ({ startMs, endMs }: LoadedCall) => endMs - startMs;

function heldShare(calls: readonly LoadedCall[], isIt: (call: LoadedCall) => boolean): number {
  let [held, busy] = [0, 0];
  for (const call of calls) {
    if (call.isRefused) continue;
    busy += lastsMs(call);
    if (isIt(call)) held += lastsMs(call);
  }
  return busy === 0 ? 0 : held / busy;
}
