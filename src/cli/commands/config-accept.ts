/**
 * `hone config accept`: puts the edited `hone.yaml` into effect. Whoever accepts names the digest of what they
 * saw, or says yes at a terminal to what is shown there; so nothing that was edited in between takes effect.
 */

import { acceptConfiguration } from '../../app/accept-configuration.ts';
import { type Opened, withOpened } from '../../app/context.ts';
import { operatorOf } from '../../app/operator-only.ts';
import { type Review, reviewConfiguration, schema } from '../../app/review-configuration.ts';
import { criticalNotice, sendNow, untold } from '../../app/tell-operators.ts';
import { expectConfig, parseConfig } from '../../config/index.ts';
import type { Actor, EffectDraft } from '../../facts/index.ts';
import type { HoneConfig } from '../../loop/index.ts';
import { channelsOf } from '../../notify/index.ts';
import { changeLines } from '../change-lines.ts';
import type { Context } from '../context.ts';
import { present, refuse } from '../io.ts';
import { fields, wrap, wrapLines } from '../layout.ts';
import { readFile } from './config.ts';

/** Beyond guessing, and short enough to copy. */
const DIGEST_CHARACTERS_MIN = 12;

type Parsed = ReturnType<typeof expectConfig<HoneConfig>>;

/** Where it weakens what holds, it takes an operator once there is one, and is told before it takes effect. */
export function configAccept(context: Context, options: { digest?: string }): Promise<number> {
  return withOpened(context, async (opened) => {
    const { io } = context;
    const bytes = readFile(opened.home);
    const parsed = expectConfig(parseConfig(bytes, 'hone.yaml', schema));
    const local = await context.actor(opened.config.identity.agents);
    if (local.kind !== 'human') {
      return refuse(io, `${local.id} is an agent; only a person accepts a configuration.`);
    }
    const review = await reviewConfiguration(opened, parsed);
    const isNews = review.changes.length > 0 || opened.held !== undefined;
    if (isNews || options.digest !== undefined) {
      const unseen = await whyUnseen(context, options.digest, { parsed, review });
      if (unseen !== undefined) return unseen;
    }
    const who =
      review.weakened.length === 0
        ? { actor: local, unchanged: [] }
        : await operatorOf(context, opened);
    if ('refused' in who) {
      return refuse(io, `It weakens or moves ${review.weakened.join(', ')}. ${who.refused}`);
    }
    const text = Buffer.from(bytes).toString();
    const lines = await accept({ context, opened, parsed, review, text, who });
    if (lines === undefined) {
      return refuse(io, 'Somebody accepted another one just now: "hone config show".');
    }
    present(io, { accepted: isNews, digest: parsed.digest, changes: review.changes }, () =>
      isNews ? wrapLines(acceptedText(review, lines), io.columns) : wrap(NOTHING, io.columns),
    );
    return 0;
  });
}

const NOTHING = 'Nothing to accept: hone.yaml means what is in effect.';

function acceptedText({ changes }: Review, lines: readonly string[]): string {
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
  return [`Accepted ${count}.`, ...lines, 'A running "hone up" takes it at its next start.'].join(
    '\n',
  );
}

/** The exit code where what would be accepted was not seen. */
async function whyUnseen(
  { io }: Context,
  digest: string | undefined,
  seen: { parsed: Parsed; review: Review },
): Promise<number | undefined> {
  const { parsed, review } = seen;
  const given = digest?.replace(/^sha256:/, '');
  if (given !== undefined) {
    if (given.length < DIGEST_CHARACTERS_MIN) {
      return refuse(io, `Give at least ${DIGEST_CHARACTERS_MIN} characters of the digest.`, 2);
    }
    if (parsed.digest.slice('sha256:'.length).startsWith(given)) return undefined;
    const edited = 'It was edited again: look at "hone config show" before you accept it.';
    return refuse(io, `hone.yaml is ${parsed.digest}, not ${digest}. ${edited}`);
  }
  if (io.ask !== undefined && !io.json) {
    io.err(changesText(seen, io.errorColumns));
    const answer = (await io.ask('Accept this? Type yes: ')).trim().toLowerCase();
    return answer === 'yes' ? undefined : refuse(io, 'Nothing was accepted.');
  }
  const { changes } = review;
  present(io, { accepted: false, digest: parsed.digest, changes }, () =>
    [
      changesText(seen, io.columns),
      wrap('Nothing is accepted yet. To accept exactly this:', io.columns),
      `  ${commandFor(parsed)}\n`,
    ].join(''),
  );
  return 1;
}

function changesText(
  { parsed, review }: { parsed: Parsed; review: Review },
  columns: number,
): string {
  const { changes, weakened } = review;
  return [
    fields([['hone.yaml:', parsed.digest]], columns, '# '),
    changes.length === 0 ? 'It means what was accepted.\n' : changeLines(changes, columns),
    weakened.length === 0
      ? ''
      : wrap(
          `It weakens or moves ${weakened.join(', ')}: that takes an operator’s token in HONE_TOKEN, and every accepted channel is told.`,
          columns,
        ),
  ].join('');
}

function commandFor({ digest }: Parsed): string {
  const start = 'sha256:'.length;
  return `hone config accept --digest ${digest.slice(start, start + DIGEST_CHARACTERS_MIN)}`;
}

/** What is left to say; undefined where somebody else was faster. */
async function accept(options: {
  context: Context;
  opened: Opened;
  parsed: Parsed;
  review: Review;
  text: string;
  who: Exclude<Awaited<ReturnType<typeof operatorOf>>, { refused: string }>;
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
 * To the channels that were accepted before. Where what was accepted is not kept here, those at hand may be
 * anybody's: the new ones are told as well.
 */
function told(
  weakened: readonly string[],
  options: { context: Context; opened: Opened; actor: Actor; parsed: Parsed },
): EffectDraft[] {
  const { context, opened, actor, parsed } = options;
  const notice = {
    key: `config/weakened/${context.newId('cfg')}`,
    title: `A weaker configuration was accepted by ${actor.id}`,
    text: `Weaker or moved: ${weakened.join(', ')}. If that was not one of you: hone stop-all, then hone config show.`,
  };
  const before = criticalNotice(opened, notice);
  if (opened.acceptedConfig !== undefined) return before;
  const keys = new Set(before.map(({ key }) => key));
  return [...before, ...criticalNotice(parsed, notice).filter(({ key }) => !keys.has(key))];
}
