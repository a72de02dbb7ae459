/** Definitions of tools: which are pinned, which changed, and a person who accepts a change. */
import { readArtifact } from '../artifact/index.ts';
import { isoTime } from '../base/index.ts';
import type { ShownTool, ToolAccepted, ToolAcceptInput, ToolList } from '../contracts/ask.ts';
import { acceptPlan, ContractBook, listPins, type Pin, readPins } from '../gateway/index.ts';
import { mask, recordedText } from '../sanitise/index.ts';
import type { Store } from '../store/index.ts';
import { authorise } from './authorise.ts';
import { type AppContext, withOpened } from './context.ts';
import { type Refusal, unknown, usage } from './refusal.ts';

export function listTools(context: AppContext): Promise<ToolList> {
  return withOpened(context, async ({ store, config }) => {
    const book = new ContractBook(config.gateway.contracts);
    const tools = (await listPins(store)).map((pin) => pinJson(pin, book));
    return { tools, uncontracted: tools.filter(({ risk }) => risk === null).length };
  });
}

export function showTool(context: AppContext, name: string): Promise<ShownTool | Refusal> {
  return withOpened(context, async ({ store, config }) => {
    const pin = (await readPins(store, [name])).get(name);
    if (pin === undefined) return noTool(name);
    const { offeredDigest } = pin;
    return {
      ...pinJson(pin, new ContractBook(config.gateway.contracts)),
      definition: await definitionText(store, pin.definitionDigest),
      offeredDefinition: offeredDigest === null ? null : await definitionText(store, offeredDigest),
    };
  });
}

/** It may say anything to a model from then on, so only an operator takes it. */
export function acceptTool(
  context: AppContext,
  name: string,
  { digest, reason }: ToolAcceptInput,
): Promise<ToolAccepted | Refusal> {
  return withOpened(context, async (opened): Promise<ToolAccepted | Refusal> => {
    const { store } = opened;
    const who = await authorise(context, opened, { action: 'accept_tool' });
    if ('refused' in who) return who;
    const pin = (await readPins(store, [name])).get(name);
    if (pin === undefined) return noTool(name);
    const { offeredDigest } = pin;
    if (offeredDigest === null) return { refused: `${name} has not changed.` };
    const hex = digest.replace(/^sha256:/, '');
    if (hex.length < 12 || !offeredDigest.startsWith(`sha256:${hex}`)) {
      return usage(`Give the digest of the definition that you saw: "hone gateway show ${name}".`);
    }
    const plan = acceptPlan(
      { ...pin, offeredDigest },
      { actor: who.actor, reason: recordedText(reason), nowMs: await store.nowMs() },
    );
    const { committed } = await store.commit({
      ...plan,
      expect: [...plan.expect!, ...who.unchanged],
    });
    if (!committed) return { refused: 'It has just changed again. Look once more.' };
    return { tool: name, digest: offeredDigest };
  });
}

async function definitionText(store: Store, digest: string): Promise<string> {
  const { content } = await readArtifact(store, digest);
  return mask(JSON.stringify(JSON.parse(Buffer.from(content).toString()), null, 2)).text;
}

function pinJson({ name, definitionDigest, pinnedAtMs, offeredDigest }: Pin, book: ContractBook) {
  return {
    tool: name,
    digest: definitionDigest,
    pinnedAt: isoTime(pinnedAtMs),
    risk: book.of(name)?.risk ?? null,
    offered: offeredDigest,
  };
}

const noTool = (name: string) =>
  unknown(`No tool ${name} was seen. "hone gateway tools" shows those that were.`);
