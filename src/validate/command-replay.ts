/**
 * A replay by a command of the target (`validate.replay`), in the sandbox: recorded sessions go in as lines of JSON, one
 * outcome for each comes out. What it prints is not trusted: `replay.ts` compares it with what was asked.
 *
 *   in   {"id":"s1","agent":"researcher","task":null,"events":[{"event_type":"tool_call",…}],"cut":false}
 *   out  {"id":"s1","ok":true,"error":null,"latency_ms":412,"cost":0.003,"output":…}
 */
import { z } from 'zod';
import { digestOfBytes, type Json } from '../base/index.ts';
import type { CommitId } from '../git/index.ts';
import type { Dossier } from '../proposal/index.ts';
import { shownModel } from './model-evidence.ts';
import { readInAll } from './own-judges.ts';
import {
  type CommandResult,
  lastLines,
  NotRunnable,
  type TargetRunner,
} from './target-runner/index.ts';
import type {
  Replay,
  ReplayOutcome,
  TouchedFile,
  ValidatePorts,
  ValidateSettings,
} from './types.ts';

interface CommandReplayPorts {
  readonly dossier: Dossier;
  readonly base: CommitId;
  readonly runner: TargetRunner | undefined;
  readonly cases: ValidatePorts['cases'];
  readonly settings: Pick<ValidateSettings, 'timeout'>;
  readonly command: readonly string[];
  /** What the change touches. */
  readonly files: readonly Pick<TouchedFile, 'path'>[];
}

const amount = z.number().nonnegative().nullish();
/** More than this may be said, and is part of the digest of the output. */
const answerSchema = z.looseObject({
  id: z.string(),
  /** Null: the recording does not say how it ends on these files. */
  ok: z.boolean().nullable(),
  error: z.string().nullish(),
  latency_ms: amount,
  cost: amount,
});

export function hasReplay({ replay, settings }: ValidatePorts): boolean {
  return replay !== undefined || settings.replay.length > 0;
}

export function commandReplay({
  dossier,
  base,
  runner,
  cases,
  settings,
  command: argv,
  files,
}: CommandReplayPorts): Replay {
  const runs: Json[] = [];
  const ran: { readonly commit: CommitId; readonly read: CommandResult['read'] }[] = [];
  // Every run is given the same, and it is read once.
  let given: { readonly sessions: readonly string[]; readonly input: string } | undefined;
  const inputFor = async (sessions: readonly string[]) => {
    if (given?.sessions !== sessions) {
      const lines = (await cases(dossier, sessions)).map((one) => `${JSON.stringify(one)}\n`);
      given = { sessions, input: lines.join('') };
    }
    return given.input;
  };
  return {
    commands: [argv],
    read: (commit) => readInAll(ran.filter((one) => one.commit === commit)),
    evidence: () => ({
      command: argv,
      cases: given === undefined ? null : digestOfBytes(given.input),
      runs,
    }),
    async run(commit, sessions, signal) {
      if (runner === undefined) throw new NotRunnable('Commands of the target are not run here.');
      const input = await inputFor(sessions);
      await using target = await runner.open({ commit, base }, signal);
      const modelAccount = dossier.proposal.digest;
      const watched = files.map(({ path }) => path);
      const command = { argv, timeoutMs: settings.timeout, input, modelAccount, watched };
      const result = await target.run(command, signal);
      runs.push(shownRun(commit, result));
      ran.push({ commit, read: result.read });
      return outcomesOf(result);
    },
  };
}

function shownRun(
  commit: CommitId,
  { ended, exitCode, output, messages, kept, model }: CommandResult,
): Json {
  return {
    ...{ commit, ended, exitCode, kept },
    output: digestOfBytes(output),
    messages: digestOfBytes(messages),
    ...shownModel(model),
  };
}

function outcomesOf({ ended, exitCode, output, messages }: CommandResult): ReplayOutcome[] {
  const useless = (why: string) => new NotRunnable(why, ...lastLines(messages));
  if (ended !== 'exited') throw useless(ENDS[ended]);
  if (exitCode !== 0) throw useless(`The command ended with exit code ${exitCode}.`);
  return output
    .toString()
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, at) => {
      const answer = answerOf(line);
      if (answer === undefined)
        throw useless(
          `Line ${at + 1} of the answer is not an object of JSON with "id" and "ok", and "latency_ms" and "cost" as numbers.`,
        );
      return answer;
    });
}

const ENDS: Readonly<Record<Exclude<CommandResult['ended'], 'exited'>, string>> = {
  killed: 'The command was killed by a signal or the processor limit.',
  time: 'The command was not done in time (validate.timeout).',
  memory: 'The command used more memory than validate.memory allows.',
  output: 'The command printed more than Hone reads.',
  aborted: 'The command was told to stop.',
};

function answerOf(line: string): ReplayOutcome | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { success, data } = answerSchema.safeParse(value);
  if (!success) return undefined;
  const { id: session, ok, error = null, latency_ms: latencyMs, cost: costUsd } = data;
  return {
    ...{ session, ok, error },
    ...(latencyMs == null ? {} : { latencyMs }),
    ...(costUsd == null ? {} : { costUsd }),
  };
}
