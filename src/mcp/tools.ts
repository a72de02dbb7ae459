/** The tools that Hone offers to agents, as data: each is one use case with its contract. */
import { z } from 'zod';
import { addEvidenceBelow } from '../app/as-agent.ts';
import type { AppContext } from '../app/context.ts';
import { openPr, validateBranch, writePatch } from '../app/delivery.ts';
import { submitFeedback } from '../app/feedback.ts';
import { listPatterns } from '../app/patterns.ts';
import { listProposals, showProposal } from '../app/proposals.ts';
import { propose } from '../app/propose.ts';
import type { Refusal } from '../app/refusal.ts';
import { status } from '../app/status.ts';
import { advanceTask, showTask } from '../app/tasks.ts';
import {
  deliveredJson,
  openPrInput,
  validateBranchInput,
  writePatchInput,
} from '../contracts/delivery.ts';
import { patternsListJson } from '../contracts/pattern.ts';
import { proposalsListInput, proposalsListJson, proposalsShowJson } from '../contracts/proposal.ts';
import { idInput } from '../contracts/shapes.ts';
import { statusJson } from '../contracts/status.ts';
import {
  feedbackInput,
  feedbackReceivedJson,
  proposedJson,
  proposeInput,
} from '../contracts/submission.ts';
import {
  evidenceAddInput,
  evidenceJson,
  taskAdvanceInput,
  taskAdvanceJson,
  taskShowJson,
} from '../contracts/task.ts';

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly readOnly: boolean;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  run(context: AppContext, input: unknown): Promise<object | Refusal>;
}

/** Binds the type of what a tool takes to its schema. */
function tool<Input extends z.ZodObject>(
  given: Omit<Tool, 'input' | 'run'> & {
    readonly input: Input;
    run(context: AppContext, input: z.output<Input>): Promise<object | Refusal>;
  },
): Tool {
  return given as unknown as Tool;
}

const PATTERNS_SHOWN = 20;
const id = idInput.describe('its id, or a unique prefix of it');

export const TOOLS: readonly Tool[] = [
  tool({
    name: 'propose_improvement',
    description:
      'Propose a small change of the repository as a unified diff. It is vetted and validated, and a person decides.',
    readOnly: false,
    input: proposeInput,
    output: proposedJson,
    run: propose,
  }),
  tool({
    name: 'submit_feedback',
    description: 'Say what went wrong or could be better. People read it; nothing in it is run.',
    readOnly: false,
    input: feedbackInput,
    output: feedbackReceivedJson,
    run: submitFeedback,
  }),
  tool({
    name: 'list_proposals',
    description: 'List proposed changes, the newest first.',
    readOnly: true,
    input: proposalsListInput,
    output: proposalsListJson,
    run: listProposals,
  }),
  tool({
    name: 'show_proposal',
    description: 'Show one proposed change: its diff, its reasons, what was said about it.',
    readOnly: true,
    input: z.strictObject({ id }),
    output: proposalsShowJson,
    run: (context, given) => showProposal(context, given.id),
  }),
  tool({
    name: 'write_patch',
    description:
      'Put an approved change on its branch hone/proposal-<id>. Other bytes than those that were decided are refused.',
    readOnly: false,
    input: writePatchInput,
    output: deliveredJson,
    run: writePatch,
  }),
  tool({
    name: 'validate_branch',
    description: 'Compare the branch of an approved change with what was decided.',
    readOnly: false,
    input: validateBranchInput,
    output: deliveredJson,
    run: validateBranch,
  }),
  tool({
    name: 'open_pr',
    description: 'Open the pull request of an approved change from its branch.',
    readOnly: false,
    input: openPrInput,
    output: deliveredJson,
    run: openPr,
  }),
  tool({
    name: 'loop_status',
    description: 'Say how Hone is, and which patterns of failures it knows.',
    readOnly: true,
    input: z.strictObject({}),
    output: z.strictObject({ status: statusJson, ...patternsListJson.shape }),
    run: async (context) => ({
      status: await status(context),
      ...(await listPatterns(context, { limit: PATTERNS_SHOWN })),
    }),
  }),
  tool({
    name: 'task_status',
    description:
      'Show a task: its phases, its evidence, what its gate is missing, which tools it may call.',
    readOnly: true,
    input: z.strictObject({ task: id }),
    output: taskShowJson,
    run: (context, { task }) => showTask(context, task),
  }),
  tool({
    name: 'add_evidence',
    description: 'Hand in a file of the repository as evidence for a task. It counts as a claim.',
    readOnly: false,
    input: z.strictObject({ task: id, ...evidenceAddInput.shape }),
    output: evidenceJson,
    run: (context, { task, ...input }) => addEvidenceBelow(context, task, input),
  }),
  tool({
    name: 'advance_phase',
    description: 'Take a task to its next phase, if the gate opens; else it says what is missing.',
    readOnly: false,
    input: z.strictObject({ task: id, ...taskAdvanceInput.shape }),
    output: taskAdvanceJson,
    run: (context, { task, ...input }) => advanceTask(context, task, input),
  }),
];
