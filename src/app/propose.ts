/** A change that a person or an agent submits; the loop goes on with it at once. */
import type { Proposed, ProposeInput } from '../contracts/submission.ts';
import type { Actor } from '../facts/index.ts';
import { submitChange } from '../loop/index.ts';
import { readProposal } from '../proposal/index.ts';
import { type AppContext, type Opened, withLoop } from './context.ts';
import { stepWords } from './decide.ts';
import { goOn } from './go-on.ts';
import type { Refusal } from './refusal.ts';

export function propose(context: AppContext, input: ProposeInput): Promise<Proposed | Refusal> {
  const onStep = (text: string) => context.progress(`${text} …`);
  return withLoop(context, { onStep }, async (opened, open): Promise<Proposed | Refusal> => {
    const actor = await proposerOf(context, opened);
    if ('refused' in actor) return actor;
    const { pattern, ...given } = input;
    const made = await submitChange({ ...given, pattern }, { actor, ports: open.ports });
    if (!made.done) return { refused: made.why };
    const steps = (await goOn(context, open)).filter(({ subject }) => subject === made.id);
    const { id, state, digest } = await readProposal(opened.store, made.id);
    return { id, state, digest, did: [made.did, ...steps.flatMap(stepWords)] };
  });
}

/**
 * Whoever is there; a person with a token is who the token says, so that they are known when they come to decide.
 * An agent stays one, whatever token its shell inherited.
 */
async function proposerOf(context: AppContext, opened: Opened): Promise<Actor | Refusal> {
  const { store, config } = opened;
  const local = await context.actor(config.identity.agents);
  const { secret } = context;
  if (local.kind !== 'human' || secret === undefined || secret === '') return local;
  const { Tokens } = await import('../identity/index.ts');
  const bearer = await new Tokens(store, config.identity.agents).bearer(secret);
  if (!('why' in bearer)) return bearer.actor;
  const { refusalOf } = await import('./operator-only.ts');
  return { refused: await refusalOf(context, opened, bearer) };
}
