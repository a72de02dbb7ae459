/** Use cases for a caller that is an agent: recorded as one, with no token of anybody's, so it never decides. */
import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import type { EvidenceAddInput, EvidenceShown } from '../contracts/task.ts';
import { EvidenceError } from '../evidence/index.ts';
import { absolute } from '../observe/index.ts';
import type { AppContext } from './context.ts';
import { addEvidence } from './evidence.ts';
import { type Refusal, usage } from './refusal.ts';

/** `name`: what whoever starts it calls the agent; the user of the machine unless given. */
export function asAgent(context: AppContext, name: string | undefined): AppContext {
  return {
    ...context,
    secret: undefined,
    actor: async (agents) => {
      const { id } = await context.actor(agents);
      return { kind: 'agent', id: name === undefined ? id : `agent:${name}`, verified: 'local' };
    },
  };
}

/** Only files of the repository: what is handed in is kept, and an agent may be told to hand in somebody's keys. */
export async function addEvidenceBelow(
  context: AppContext,
  given: string,
  input: EvidenceAddInput,
): Promise<EvidenceShown | Refusal> {
  const { cwd, environment } = context;
  const asked = absolute(input.file, { cwd, home: environment['HOME'] });
  const [root, file] = await Promise.all([
    realpath(context.home().root),
    realpath(asked).catch(() => {
      throw new EvidenceError('bad_file', 'There is no such file. Name one of the repository.');
    }),
  ]);
  if (!file.startsWith(`${root}${sep}`)) return usage('Only files of the repository are taken.');
  return addEvidence(context, given, { ...input, file: asked });
}
