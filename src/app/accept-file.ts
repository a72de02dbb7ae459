/**
 * Puts the edited `hone.yaml` into effect. Whoever accepts names the digest of what they saw, so that no later edit
 * takes effect. If it weakens Hone, it needs an operator once there is one, and notices are sent before it takes
 * effect.
 */
import { errorMessage } from '../base/index.ts';
import { expectConfig, parseConfig } from '../config/index.ts';
import type { AcceptedConfiguration } from '../contracts/configuration.ts';
import type { Actor, EffectDraft } from '../facts/index.ts';
import type { HoneConfig } from '../loop/index.ts';
import { channelsOf } from '../notify/index.ts';
import { lockedOut, PolicySet } from '../policy/index.ts';
import { acceptConfiguration } from './accept-configuration.ts';
import { type Allowed, authorise } from './authorise.ts';
import { readFile } from './configuration.ts';
import { type AppContext, type Opened, withOpened } from './context.ts';
import { type Refusal, usage } from './refusal.ts';
import { type Review, reviewConfiguration, schema } from './review-configuration.ts';
import { policiesAt } from './rights.ts';
import { criticalNotice, sendNow, untold } from './tell-operators.ts';

/** Beyond guessing, and short enough to copy. */
export const DIGEST_CHARACTERS_MIN = 12;

type Parsed = ReturnType<typeof expectConfig<HoneConfig>>;

/** Without a digest only a file that changes nothing is accepted; otherwise the answer lists the changes. */
export function acceptFile(
  context: AppContext,
  { digest }: { readonly digest?: string },
): Promise<AcceptedConfiguration | Refusal> {
  return withOpened(context, async (opened): Promise<AcceptedConfiguration | Refusal> => {
    const bytes = readFile(opened.home);
    const parsed = expectConfig(parseConfig(bytes, 'hone.yaml', schema));
    const local = await context.actor(opened.config.identity.agents);
    if (local.kind !== 'human') {
      return { refused: `${local.id} is an agent; only a person accepts a configuration.` };
    }
    const review = await reviewConfiguration(opened, parsed);
    const { changes, weakened } = review;
    const isNews = changes.length > 0 || opened.held !== undefined;
    const seen = { digest: parsed.digest, changes, weakened };
    if (isNews && digest === undefined) {
      return { accepted: false, ...seen, unseen: true, untold: [] };
    }
    const other = digest === undefined ? undefined : whyOther(digest, parsed);
    if (other !== undefined) return other;
    const unfit = await unfitPolicies(opened.home.root, parsed.config.policy.commit);
    if (unfit !== undefined) return usage(unfit);
    const who =
      weakened.length === 0
        ? { actor: local, unchanged: [] }
        : await authorise(context, opened, { action: 'accept_configuration' });
    if ('refused' in who) {
      return { refused: `It weakens or moves ${weakened.join(', ')}. ${who.refused}` };
    }
    const text = Buffer.from(bytes).toString();
    const lines = await accept({ context, opened, parsed, review, text, who });
    if (lines === undefined) {
      return { refused: 'Somebody has just accepted another one: see "hone config show".' };
    }
    return { accepted: isNews, ...seen, unseen: false, untold: lines };
  });
}

/** What is wrong with the policies that it names: accepted, they would let nobody act, or no operator mend them. */
async function unfitPolicies(root: string, commit: string): Promise<string | undefined> {
  if (commit === '') return undefined;
  try {
    const locked = lockedOut(await PolicySet.load(await policiesAt(root, commit)));
    if (locked.length === 0) return undefined;
    return `The policies of ${commit} let no operator ${locked.join(' or ').replaceAll('_', ' ')}, so nobody could correct them. Exempt operators from that forbid.`;
  } catch (error) {
    return `The policies of ${commit} (policy.commit) cannot be used: ${errorMessage(error)}`;
  }
}

/** The refusal if the file is not what was seen. */
function whyOther(digest: string, parsed: Parsed): Refusal | undefined {
  const given = digest.replace(/^sha256:/, '');
  if (given.length < DIGEST_CHARACTERS_MIN) {
    return usage(`Give at least ${DIGEST_CHARACTERS_MIN} characters of the digest.`);
  }
  if (parsed.digest.slice('sha256:'.length).startsWith(given)) return undefined;
  const edited = 'It was edited again: look at "hone config show" before you accept it.';
  return { refused: `hone.yaml is ${parsed.digest}, not ${digest}. ${edited}` };
}

/** What remains to be said; undefined if somebody else was faster. */
async function accept(options: {
  context: AppContext;
  opened: Opened;
  parsed: Parsed;
  review: Review;
  text: string;
  who: Pick<Allowed, 'actor' | 'unchanged'>;
}): Promise<string[] | undefined> {
  const { context, opened, parsed, review, text, who } = options;
  const { home, store } = opened;
  const { actor, unchanged: expect } = who;
  const effects =
    review.weakened.length === 0 ? [] : told(review.weakened, { context, opened, actor, parsed });
  const lines: string[] = [];
  const isDone = await acceptConfiguration({
    ...{ context, home, store, parsed, text, actor, expect, effects },
    tell: async () => {
      if (effects.length === 0) return;
      await sendNow(context, opened);
      lines.push(...(await untold(store, effects, channelsOf(parsed.config.notify))));
    },
  });
  return isDone ? lines : undefined;
}

/**
 * To the channels that were accepted before. If the accepted configuration is not kept here, anybody may have
 * written those at hand, so the new ones are notified as well.
 */
function told(
  weakened: readonly string[],
  options: { context: AppContext; opened: Opened; actor: Actor; parsed: Parsed },
): EffectDraft[] {
  const { context, opened, actor, parsed } = options;
  const notice = {
    key: `config/weakened/${context.newId('cfg')}`,
    title: `A weaker configuration was accepted by ${actor.id}`,
    text: `Weaker or moved: ${weakened.join(', ')}. If none of you did this, run hone stop-all, then hone config show.`,
  };
  const before = criticalNotice(opened, notice);
  if (opened.acceptedConfig !== undefined) return before;
  const keys = new Set(before.map(({ key }) => key));
  return [...before, ...criticalNotice(parsed, notice).filter(({ key }) => !keys.has(key))];
}
