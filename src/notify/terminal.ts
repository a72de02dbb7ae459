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
  const lines = text.split('\n').map((line) => `    ${plain(line)}\n`);
  return `[${severity}] ${plain(title)}\n${lines.join('')}`;
}

/** Whoever wrote it should have cleaned it; a terminal takes no chances. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, ' ');
}
