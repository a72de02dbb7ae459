/**
 * Evidence that Hone makes itself: the accepted configuration's command on a clean checkout of the task's commit, in the
 * sandbox. What the agent wrote outside of that commit is not there.
 */

import { evidenceText } from './read-file.ts';
import type { EvidenceFile, RunEnd } from './types.ts';

/** Runs commands on the files of a commit; the application gives the sandbox of validations. */
export interface OwnRunner {
  open(
    where: { readonly commit: string; readonly base: string },
    signal: AbortSignal,
  ): Promise<
    AsyncDisposable & {
      run(
        command: {
          readonly argv: readonly string[];
          readonly timeoutMs: number;
          readonly report?: string;
        },
        signal: AbortSignal,
      ): Promise<{
        readonly ended: string;
        readonly exitCode: number | null;
        readonly output: Uint8Array;
        readonly messages: Uint8Array;
        readonly wallMs: number;
        readonly kept: Readonly<Record<string, string>>;
      }>;
    }
  >;
}

export interface OwnCommand {
  readonly argv: readonly string[];
  readonly timeoutMs: number;
  /** Empty: what it prints is all there is. */
  readonly report: string;
}

export interface OwnRun {
  readonly file: EvidenceFile;
  readonly more: readonly EvidenceFile[];
  readonly run: RunEnd;
}

/** Of what a command printed beside its report. */
const PRINTED_BYTES_MAX = 1024 * 1024;

export async function runOwn(
  runner: OwnRunner,
  where: { readonly commit: string; readonly base: string },
  { argv, timeoutMs, report }: OwnCommand,
  signal: AbortSignal,
): Promise<OwnRun> {
  await using target = await runner.open(where, signal);
  const asked = { argv, timeoutMs, ...(report === '' ? {} : { report }) };
  const { ended, exitCode, output, messages, wallMs, kept } = await target.run(asked, signal);
  const name = report === '' ? 'output.txt' : report;
  const printed = Buffer.from(messages.subarray(-PRINTED_BYTES_MAX)).toString();
  return {
    file: { name, text: evidenceText(output, name) },
    more: printed === '' ? [] : [{ name: 'messages.txt', text: printed.replaceAll('\0', ' ') }],
    run: {
      ...{ command: argv, report: report === '' ? null : report },
      ...{ ended, exitCode, wallMs: Math.round(wallMs), kept: { ...kept } },
    },
  };
}
