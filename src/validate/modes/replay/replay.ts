/** Recorded sessions on the base and on the candidate (VAL-3, shadow) as a mode. */
import { judgingTouch } from '../../judging.ts';
import { shadowReplay } from '../../replay.ts';
import type { ValidationMode } from '../../types.ts';

export const replay: ValidationMode = {
  name: 'replay',
  evidenceKinds: ['recorded_sessions'],
  assumes: [
    'The recording is typical of the future: tools answer as they did, and people ask the same.',
  ],
  runsChange: true,
  async judge({ dossier, base, candidate, files }, ports, signal) {
    const { settings, clock, repository, agentFiles } = ports;
    const commands = ports.replay?.commands ?? [];
    const played = await shadowReplay({
      base,
      candidate,
      judging: await judgingTouch(files, { base, repository, commands, agentFiles }),
      sessions: ports.replay === undefined ? [] : await ports.sessions(dossier),
      replay: ports.replay,
      settings,
      clock,
      signal,
    });
    const { outcome: verdict, reasons, improvesTarget, sessions, counts } = played;
    return { verdict, reasons, improvesTarget, found: { sessions, counts } };
  },
};
