/** What commands say, kept instead of shown: for whoever runs them in a process of their own. */
import type { Io } from './io.ts';

export interface Captured {
  readonly io: (json: boolean) => Io;
  readonly said: { out: string; err: string };
}

export function captureIo(more: Partial<Io> = {}): Captured {
  const said = { out: '', err: '' };
  const io = (json: boolean): Io => ({
    json,
    isTerminal: false,
    columns: Infinity,
    errorColumns: Infinity,
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    progress: () => {},
    progressDone: () => {},
    style: (_, text) => text,
    ...more,
  });
  return { io, said };
}
