/** `hone evidence run|add|show|verify` and `hone checkpoint validate`. */
import { validateCheckpoint } from '../../app/checkpoint.ts';
import { addEvidence, runEvidence, showEvidence, verifyEvidence } from '../../app/evidence.ts';
import type {
  EvidenceAddInput,
  EvidenceRunInput,
  EvidenceShow,
  EvidenceShown,
} from '../../contracts/task.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import type { Io } from '../io.ts';
import { fields, table, wrap } from '../layout.ts';
import { shown } from '../shown.ts';

export function evidenceAdd(
  context: Context,
  task: string,
  file: string,
  options: Omit<EvidenceAddInput, 'file'>,
): Promise<number> {
  return answer(
    context,
    addEvidence(context, task, { ...options, file }),
    (one) => keptText(one, context.io),
    ({ isValid }) => (isValid ? 0 : 1),
  );
}

export function evidenceRun(
  context: Context,
  task: string,
  options: EvidenceRunInput,
): Promise<number> {
  return answer(
    context,
    runEvidence(context, task, options),
    ({ evidence }) => evidence.map((one) => keptText(one, context.io)).join(''),
    ({ evidence }) => (evidence.every(({ isValid }) => isValid) ? 0 : 1),
  );
}

function keptText(
  { id, kind, name, origin, phase, isValid, problem }: EvidenceShown,
  io: Io,
): string {
  const verdict = isValid ? 'It is right.' : `It is NOT right: ${shown(problem ?? '')}`;
  const claim =
    origin === 'claimed' ? ' It was handed in, so it opens nothing that needs proof.' : '';
  return wrap(`${id}: ${kind} ${shown(name)} for ${phase}. ${verdict}${claim}`, io.columns);
}

export function evidenceShow(context: Context, given: string): Promise<number> {
  return answer(context, showEvidence(context, given), (one) => showText(one, context.io));
}

function showText({ evidence, attestation, files, found }: EvidenceShow, io: Io): string {
  const { columns } = io;
  const about =
    evidence === null
      ? [
          ['id', attestation!.id],
          ['of', `the validation of ${attestation!.proposal}`],
          ['mode', attestation!.mode],
          ['verdict', attestation!.verdict],
          ['at', attestation!.at],
        ]
      : [
          ['id', evidence.id],
          ['of', `${evidence.task}, ${evidence.phase}`],
          ['kind', `${evidence.kind}, ${evidence.origin}`],
          ['commit', evidence.commit ?? 'none'],
          ['verdict', evidence.isValid ? 'right' : `not right: ${shown(evidence.problem ?? '')}`],
          ['fresh', evidence.isFresh ? 'yes' : 'no'],
          ['by', `${evidence.by.kind} ${shown(evidence.by.id)}`],
          ['at', evidence.at],
          ['manifest', evidence.manifestDigest],
          ...Object.entries(found).map(([key, value]) => [key, String(value)]),
        ];
  const rows = files.map(({ name, sizeBytes, digest }) => [shown(name), String(sizeBytes), digest]);
  return [
    fields(about as [string, string][], columns),
    ...(rows.length === 0
      ? []
      : ['\n', table({ head: ['FILE', 'BYTES', 'DIGEST'], rows }, columns)]),
  ].join('');
}

export function evidenceVerify(context: Context, given: string): Promise<number> {
  const { io } = context;
  return answer(
    context,
    verifyEvidence(context, given),
    ({ id, ok, problems }) =>
      ok
        ? wrap(`${id} is what was recorded, and it is judged the same.`, io.columns)
        : [
            wrap(`${id} does NOT hold:`, io.columns),
            ...problems.map((one) => wrap(`- ${shown(one)}`, io.columns, '  ')),
          ].join(''),
    ({ ok }) => (ok ? 0 : 1),
  );
}

export function checkpointValidate(context: Context, task: string): Promise<number> {
  const { io } = context;
  return answer(
    context,
    validateCheckpoint(context, task),
    ({ checks, ok }) =>
      [
        ...checks.map((one) =>
          wrap(`${one.ok ? 'ok' : 'NO'}  ${one.name}: ${shown(one.why)}`, io.columns),
        ),
        wrap(ok ? 'The checkpoint holds.' : 'The checkpoint does not hold.', io.columns),
      ].join(''),
    ({ ok }) => (ok ? 0 : 1),
  );
}
