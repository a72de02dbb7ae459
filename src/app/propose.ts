/** A change that a person or an agent submits; the loop goes on with it at once. */
import type { Proposed, ProposeInput } from '../contracts/submission.ts';
import { submitChange } from '../loop/index.ts';
import { readProposal } from '../proposal/index.ts';
import { authorise } from './authorise.ts';
import { type AppContext, withLoop } from './context.ts';
import { stepWords } from './decide.ts';
import { goOn } from './go-on.ts';
import type { Refusal } from './refusal.ts';

export function propose(context: AppContext, input: ProposeInput): Promise<Proposed | Refusal> {
  const onStep = (text: string) => context.progress(`${text} …`);
  return withLoop(context, { onStep }, async (opened, open): Promise<Proposed | Refusal> => {
    // A person with a token is who the token says, so that they are known when they come to decide.
    const who = await authorise(context, opened, { action: 'propose' });
    if ('refused' in who) return who;
    const { actor } = who;
    const { pattern, ...given } = input;
    const made = await submitChange({ ...given, pattern }, { actor, ports: open.ports });
    if (!made.done) return { refused: made.why };
    const steps = (await goOn(context, open)).filter(({ subject }) => subject === made.id);
    const { id, state, digest } = await readProposal(opened.store, made.id);
    return { id, state, digest, did: [made.did, ...steps.flatMap(stepWords)] };
  });
}
