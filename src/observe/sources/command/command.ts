/**
 * What a command prints, such as `docker logs` or `journalctl`: read like a file, by another kind that reads lines. A
 * command that prints everything again from the start is a file that grew; for one whose beginning moved on, the
 * lines that were read last are looked for (`files/recent-lines.ts`).
 */
import { z } from 'zod';
import type { SourceKind } from '../../types.ts';
import { CommandFiles, OUTPUT } from './command-files.ts';

const PLACE_CHARS = 200;
const EVERY_SECONDS = 60;

const word = z.string().max(4000);
const keys = {
  command: z
    .array(word)
    .min(1)
    .max(100)
    .refine(([program]) => /^[^-\s]/.test(program!)),
  format: z.string().min(1).max(40),
  settings: z.optional(z.record(z.string().max(100), z.unknown())),
  everySeconds: z.optional(z.int().min(1).max(86_400)),
  errorOutput: z.optional(z.boolean()),
};

export const command: SourceKind<typeof keys> = {
  kind: 'command',
  about:
    'what a command prints: its words in command, without a shell, and in format the kind that reads its lines',
  keys,
  place: ({ command: words }) => shownCommand(words),
  check({ format, settings = {} }, kinds) {
    const kind = kinds.find((one) => one.kind === format);
    if (kind === undefined || kind.kind === 'command' || !('path' in kind.keys))
      return 'format must name a kind of source that reads files.';
    const { success } = z.strictObject(kind.keys).safeParse({ ...settings, path: OUTPUT });
    return success ? undefined : `settings are not what the kind ${kind.kind} takes.`;
  },
  open({ command: words, format, settings = {}, everySeconds, errorOutput }, ports) {
    const files = new CommandFiles({
      command: words,
      name: shownCommand(words),
      everyMs: (everySeconds ?? EVERY_SECONDS) * 1000,
      withErrors: errorOutput ?? true,
      commands: ports.commands,
    });
    return ports.openAs!(format, { ...settings, path: OUTPUT }, files);
  },
};

/** On one line. */
function shownCommand(words: readonly string[]): string {
  const shown = words.join(' ').replace(/\s+/g, ' ').trim();
  return shown.length <= PLACE_CHARS ? shown : `${shown.slice(0, PLACE_CHARS - 1)}…`;
}
