/** Tells whoever watches the terminal of `hone up` or `hone cycle`. */
import { z } from 'zod';
import { field } from '../../config/index.ts';
import type { Effect } from '../../outbox/index.ts';
import type { Channel, NoticePayload } from '../types.ts';

const NAME = 'terminal';
const type = z.boolean();

export const terminal: Channel<typeof type> = {
  setting: field(type, true, {
    weakens: { strictestFirst: [true, false] },
    comment: 'On the terminal of hone up and hone cycle.',
  }),
  destinations: (isOn) => (isOn ? [NAME] : []),
  // Also while it is off: what was queued before is not left behind.
  open: (_, { write }) => [
    {
      // Repeating a line on a terminal harms nobody.
      kind: 'keyed',
      name: NAME,
      send: async (effect) => {
        write(noticeLine(effect));
        return { outcome: 'delivered' };
      },
    },
  ],
};

function noticeLine({ payload }: Effect): string {
  const { severity, title, text } = payload as unknown as NoticePayload;
  const lines = text.split('\n').map((line) => `    ${plain(line)}\n`);
  return `[${severity}] ${plain(title)}\n${lines.join('')}`;
}

/** The author should have cleaned it; a terminal takes no chances. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ');
}
