/**
 * What a process is: phases in one order, each with the gates that are passed to leave it. A phase says which one it comes
 * `after`, and the first says nothing. Anything but one line of phases is refused at the phase that breaks it.
 */
import { z } from 'zod';
import { EVIDENCE_KINDS, TOOL_RISKS } from '../facts/index.ts';

const word = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/);
/** `server/tool`, with `*`. */
const toolPattern = z.string().regex(/^[^\s/]{1,200}\/[^\s/]{1,200}$/);

const need = z.strictObject({
  evidence: z.enum(EVIDENCE_KINDS),
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)
    .optional(),
  own: z.boolean().optional(),
  ifConfigured: z.boolean().optional(),
  independent: z.boolean().optional(),
  sections: z.array(z.string().min(1).max(100)).max(50).optional(),
  min: z.number().min(0).max(1).optional(),
});

const phase = z.strictObject({
  name: word,
  after: word.optional(),
  /** The riskiest tool that may be called in it. */
  risk: z.enum(TOOL_RISKS),
  tools: z.array(toolPattern).max(200).optional(),
  /** Prompts and instruction files that changed close its gates; elsewhere they are only told. */
  strict: z.boolean().optional(),
  gates: z.array(z.strictObject({ name: word, needs: z.array(need).min(1).max(50) })).max(20),
});

export const definitionSchema = z
  .strictObject({ name: word, phases: z.array(phase).min(1).max(50) })
  .superRefine(({ phases }, context) => {
    for (const { at, why } of orderProblems(phases)) {
      const path = ['phases', at, phases[at]!.after === undefined ? 'name' : 'after'];
      context.addIssue({
        code: 'custom',
        path,
        params: { problem: 'bad_form', why },
        message: why,
      });
    }
  });

export type ProcessDefinition = z.output<typeof definitionSchema>;
export type Phase = ProcessDefinition['phases'][number];

interface OrderProblem {
  /** The phase's place in the file. */
  readonly at: number;
  readonly why: string;
}

/** Phases that are no part of the one line from the first to the last. */
function orderProblems(phases: readonly Pick<Phase, 'name' | 'after'>[]): OrderProblem[] {
  const problems: OrderProblem[] = [];
  const seen = new Map<string, number>();
  const follower = new Map<string, string>();
  let first: string | undefined;
  for (const [at, { name, after }] of phases.entries()) {
    if (seen.has(name)) problems.push({ at, why: `There are two phases called ${name}.` });
    seen.set(name, at);
    if (after === undefined) {
      if (first !== undefined)
        problems.push({
          at,
          why: `${first} and ${name} both come first. Say what ${name} comes after.`,
        });
      first ??= name;
    } else if (!phases.some((one) => one.name === after)) {
      problems.push({ at, why: `It comes after ${after}, which is no phase of the process.` });
    } else if (follower.has(after)) {
      problems.push({ at, why: `${follower.get(after)} and ${name} both come after ${after}.` });
    } else follower.set(after, name);
  }
  if (problems.length > 0) return problems;
  const reached = new Set<string>();
  for (let name = first; name !== undefined; name = follower.get(name)) reached.add(name);
  return phases.flatMap(({ name, after }, at) => {
    if (reached.has(name)) return [];
    return [
      {
        at,
        why: `No way leads from the first phase to ${name}: ${name} after ${after} is a cycle.`,
      },
    ];
  });
}

/** From the first to the last, whatever their order in the file. */
export function phasesInOrder({ phases }: ProcessDefinition): readonly Phase[] {
  const ordered: Phase[] = [];
  for (
    let next = phases.find(({ after }) => after === undefined);
    next !== undefined;
    next = phases.find(({ after }) => after === ordered.at(-1)!.name)
  )
    ordered.push(next);
  return ordered;
}
