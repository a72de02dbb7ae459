/** Recorded sessions on the base and on the candidate (VAL-3, shadow) as a mode. */

import { commandReplay, hasReplay } from '../../command-replay.ts';
import { RECORDED } from '../../config-section.ts';
import { judgingTouch } from '../../judging.ts';
import { lookAgain, looksOf, significanceOfLook } from '../../looks.ts';
import { pairedMeasures } from '../../measures.ts';
import { type JudgedRuns, judgedByBase } from '../../own-judges.ts';
import { recordedReplay } from '../../recorded-replay/index.ts';
import { shadowReplay } from '../../replay.ts';
import type { CandidateChange, ValidatePorts, ValidationMode } from '../../types.ts';

export const replay: ValidationMode = {
  name: 'replay',
  evidenceKinds: ['recorded_sessions'],
  assumes: [
    'The recording is typical of the future: tools answer as they did, and people ask the same.',
    'A call that was cut off has no known end: what it would have answered is the replay’s own guess.',
    'Each session has its tools to itself: failures that come from what sessions share are not played.',
  ],
  runsChange: true,
  measures: pairedMeasures,
  applies: (_, ports) => hasReplay(ports),
  judge: (change, ports, signal) =>
    judgedByBase(change, ports, (one) => judgeReplay(one, ports, signal)),
};

async function judgeReplay(
  { dossier, base, candidate, files }: CandidateChange,
  ports: ValidatePorts,
  signal: AbortSignal,
): Promise<JudgedRuns> {
  const { settings, clock, repository, agentFiles, nowMs } = ports;
  const { replay: chosen } = settings;
  const looks = looksOf(dossier, replay.name);
  const significance = significanceOfLook(looks, settings.significance);
  const drawn = await ports.sessions(dossier);
  const shadow =
    ports.replay ??
    (chosen === RECORDED
      ? recordedReplay({ ...ports, dossier, base, files })
      : commandReplay({ ...ports, dossier, base, files, command: chosen }));
  const { commands } = shadow;
  const played = await shadowReplay({
    base,
    candidate,
    judging: await judgingTouch(files, {
      base,
      repository,
      commands,
      agentFiles,
      evidence: 'replay',
    }),
    drawn,
    // What its generator says that it does to calls, once it has settled.
    givesUpSooner: dossier.content.signs?.latency === 'less',
    replay: shadow,
    settings: { ...settings, significance },
    clock,
    signal,
  });
  const { outcome: verdict, reasons: why, improvesTarget, unjudged, settledBy, ...found } = played;
  const asked = Math.min(drawn.sessions.length, settings.sessions);
  const more =
    settledBy === undefined
      ? undefined
      : lookAgain({ settledBy, asked, drawn, looks, settings, nowMs });
  const [first, ...others] = why;
  const reasons = [
    first!,
    ...(more === undefined ? [] : [more.words]),
    ...[...others, ...(shadow.notes?.() ?? [])],
  ];
  const look = { number: looks.tried + 1, significance };
  const evidence = shadow.evidence === undefined ? {} : { replay: shadow.evidence() };
  return {
    ...{ verdict, reasons, improvesTarget, found: { ...found, look, ...evidence } },
    ...(unjudged === undefined ? {} : { unjudged }),
    ...(more?.dueAtMs === undefined ? {} : { againAtMs: more.dueAtMs }),
    read:
      shadow.read === undefined
        ? undefined
        : { onBase: shadow.read(base), onCandidate: shadow.read(candidate) },
  };
}
