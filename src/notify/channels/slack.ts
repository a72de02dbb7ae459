/**
 * An incoming webhook of Slack, or of a chat that takes the same form. Its address is the secret, so it is read from an
 * environment variable. Slack knows no key by which a repetition could be found: what may have been sent is not sent
 * again by itself.
 */
import { z } from 'zod';
import { field } from '../../config/index.ts';
import type { Effect } from '../../outbox/index.ts';
import type { Channel, NoticePayload } from '../types.ts';
import { post } from './post.ts';

const type = z
  .array(
    z.strictObject({
      name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,40}$/),
      /** The environment variable that holds the address, never the address itself. */
      urlEnv: z.string().regex(/^[A-Z][A-Z0-9_]{0,100}$/),
    }),
  )
  .max(20);

const nameOf = ({ name }: { readonly name: string }) => `slack:${name}`;

export const slack: Channel<typeof type> = {
  setting: field(type, [], {
    weakens: 'any',
    comment: 'Incoming webhooks of Slack: name, urlEnv (variable with the address).',
  }),
  destinations: (configured) => configured.map(nameOf),
  open: (configured, { log, secret }) =>
    configured.flatMap((one) => {
      const url = secret(one.urlEnv) ?? '';
      if (!/^https?:\/\//.test(url)) {
        log.warn('a Slack webhook has no address', { slack: one.name, variable: one.urlEnv });
        return [];
      }
      return [
        {
          kind: 'once',
          name: nameOf(one),
          send: async (effect, signal) => {
            const sent = await post(url, { body: messageOf(effect), headers: {}, signal });
            // A library's message may name the address.
            if (sent.outcome !== 'failed' || !sent.error.includes(url)) return sent;
            return { ...sent, error: 'the request failed' };
          },
        },
      ];
    }),
};

/** Slack shows at most 40 000 characters. */
const TEXT_MAX = 30_000;

function messageOf({ payload }: Effect): string {
  const { severity, title, text } = payload as unknown as NoticePayload;
  const lines = text.split('\n').map(inert).join('\n');
  return JSON.stringify({ text: `*[${severity}] ${inert(title)}*\n${lines}`.slice(0, TEXT_MAX) });
}

/** The three characters by which Slack knows links, mentions and entities, and nothing that a screen would obey. */
function inert(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
