/** Tells whoever watches the terminal of `hone up` or `hone cycle`. */
import type { Destination, Effect } from '../outbox/index.ts';
import { TERMINAL } from './notices.ts';

/** Repeating a line on a terminal harms nobody, and its key stands beside it: `keyed`. */
export function terminalDestination(write: (line: string) => void): Destination {
  return {
    kind: 'keyed',
    name: TERMINAL,
    send: (effect) => {
      write(noticeLine(effect));
      return Promise.resolve({ outcome: 'delivered' });
    },
  };
}

function noticeLine({ payload }: Effect): string {
  const { severity, title, text } = payload as { severity: string; title: string; text: string };
  return `[${severity}] ${title}\n    ${text}\n`;
}
