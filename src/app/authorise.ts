/** Asks whether somebody may do something: who they are is `identity/`'s answer, what they may is `policy/`'s. */
import type { Actor } from '../facts/index.ts';
import { type Known, Tokens } from '../identity/index.ts';
import {
  type Action,
  groupOf,
  type RightAnswer,
  type RightSubject,
  Rights,
} from '../policy/index.ts';
import type { Expectation } from '../store/index.ts';
import { type AppContext, type Opened, withOpened } from './context.ts';
import { agentWords, askingOf, DENIALS, refusalOf } from './denials.ts';
import type { Refusal } from './refusal.ts';
import { rightsOf } from './rights.ts';

export type { Action };

export interface Allowed {
  readonly actor: Actor;
  /** What gives them the right; it goes into the plan of what they do. */
  readonly unchanged: readonly Expectation[];
  /** The policies that allowed it. */
  readonly by: readonly string[];
}

export interface Asked {
  readonly action: Action;
  /** The installation unless given. */
  readonly subject?: RightSubject;
  /** By a signature, which is verified where it is made. */
  readonly isSigned?: boolean;
}

const INSTALLATION: RightSubject = { kind: 'Installation', id: 'hone' };

/** `home` is absent where nothing was accepted yet: then only Hone's own policies hold. */
type Where = Pick<Opened, 'config' | 'store'> & Partial<Pick<Opened, 'home' | 'held'>>;

export async function authorise(
  context: AppContext,
  opened: Where,
  asked: Asked,
): Promise<Allowed | Refusal> {
  const { store, config, home, held } = opened;
  const tokens = new Tokens(store, config.identity.agents);
  const asking = await askingOf(context, opened);
  const isSigned = asked.isSigned === true;
  // Who signs is who they are in the allowed-signers file, whatever token is at hand.
  const who = await tokens.who(isSigned ? { ...asking, secret: undefined } : asking);
  if ('why' in who) return { refused: await refusalOf(context, opened, who), kind: 'forbidden' };
  const { action, subject = INSTALLATION } = asked;
  const isOperating = groupOf(action) === 'operate' && who.role !== 'operator';
  const operators = isOperating ? await tokens.operators() : undefined;
  const rights = home === undefined ? new Rights(async () => []) : rightsOf({ home, config, held });
  const actor: Actor = isSigned ? { ...who.actor, verified: 'signature' } : who.actor;
  const answer = await rights.judge({
    ...{ who: { actor, role: who.role }, action, subject, door: context.door },
    ...(operators === undefined ? {} : { operators: operators.are }),
  });
  if (answer.allowed) {
    const first = operators?.are === 'never' ? [operators.none] : [];
    return { actor: who.actor, unchanged: [...who.unchanged, ...first], by: answer.by };
  }
  const lost = operators?.are === 'lost';
  return { refused: words(context, { who, action, answer, lost }), kind: 'forbidden' };
}

/** For a door whose use case asks nothing about a subject of its own; undefined where the caller may. */
export function whyForbidden(context: AppContext, action: Action): Promise<Refusal | undefined> {
  return withOpened(
    context,
    async (opened) => {
      const asked = await authorise(context, opened, { action });
      return 'refused' in asked ? asked : undefined;
    },
    // Also whoever checks or repairs the record of a store that was lost.
    { evenLost: true },
  );
}

interface Refused {
  readonly who: Known;
  readonly action: Action;
  readonly answer: RightAnswer & { readonly allowed: false };
  /** Every operator's token is revoked. */
  readonly lost: boolean;
}

function words(context: AppContext, { who, action, answer, lost }: Refused): string {
  const { actor, role } = who;
  const { fault, by } = answer;
  if (fault !== undefined) {
    return `Nothing is allowed while the policies cannot be judged: ${fault} They are those of policy.commit in hone.yaml.`;
  }
  if (actor.kind !== 'human') return agentRefused(context, actor, action);
  const own = by.filter((id) => !id.startsWith('hone:'));
  if (own.length > 0) {
    return `${actor.id} may not ${action.replaceAll('_', ' ')} here: forbidden by ${own.join(', ')}.`;
  }
  if (groupOf(action) === 'operate') return DENIALS[lost ? 'operators_lost' : 'needs_operator'];
  const group = groupOf(action);
  const needs = group === 'administer' ? 'an operator' : 'an approver';
  const what = group === 'decide' || group === 'take_back' ? 'decide' : action.replaceAll('_', ' ');
  return `${actor.id} is a ${role}; only ${needs} may ${what}.`;
}

function agentRefused(context: AppContext, { id }: Actor, action: Action): string {
  if (groupOf(action) === 'operate') {
    return `${agentWords(context)}, and only a person may weaken a gate or the configuration.`;
  }
  if (groupOf(action) === 'administer')
    return `${agentWords(context)}, and only a person may ${action.replaceAll('_', ' ')}.`;
  if (context.door === 'http') return `${id} is an agent’s token, and agents never decide.`;
  return `An agent runs this command, and agents never decide: ${id} is one of identity.agents, or a variable such as CLAUDECODE is set. If you are a person, check "git config user.email", and use a shell of your own.`;
}
