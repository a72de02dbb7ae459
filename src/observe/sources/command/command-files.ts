/**
 * A command's output as the one file of a source. Opening it runs the command:
 *
 *   idle ──due, opened──► running ──its output was read──► idle
 *                            └─left in the middle: goes on when it is opened again
 */
import { sha256Hex } from '../../../base/index.ts';
import { FlowingBytes } from '../../files/flowing-bytes.ts';
import type {
  CommandEnd,
  FileListing,
  OpenFile,
  RunningCommand,
  SourceCommands,
  SourceFiles,
} from '../../types.ts';

/** The path that the kind which reads the output is given. */
export const OUTPUT = 'output';

const LIMITS = { timeoutMs: 120_000, idleMs: 10_000, outputBytesMax: 256 * 1024 * 1024 };
/** A command that takes long runs less often: it may use up to a tenth of the time. */
const REST_FACTOR = 10;

export interface CommandOptions {
  readonly command: readonly string[];
  /** For people. */
  readonly name: string;
  readonly everyMs: number;
  readonly withErrors: boolean;
  readonly commands: SourceCommands | undefined;
}

export class CommandFiles implements SourceFiles {
  readonly #options: CommandOptions;
  readonly #identity: string;
  #output: Output | undefined;
  #runs = 0;
  #dueMs = 0;
  #told = '';

  constructor(options: CommandOptions) {
    this.#options = options;
    this.#identity = `command:${sha256Hex(JSON.stringify(options.command)).slice(0, 32)}`;
  }

  async list(): Promise<FileListing> {
    const { name, commands } = this.#options;
    const isDue = this.#output?.isLeft === true || (commands?.nowMs() ?? 0) >= this.#dueMs;
    return { exists: true, files: isDue ? [{ name, path: OUTPUT }] : [], notes: [] };
  }

  /** Undefined as long as it has not begun to print: others are read meanwhile. */
  async open(): Promise<OpenFile | undefined> {
    const output = this.#output?.isLeft === true ? this.#output.taken() : this.#run();
    if (output.sizeBytes > 0 || (await output.more(true)) || output.isEnded) return output;
    await output[Symbol.asyncDispose]();
    return undefined;
  }

  #run(): Output {
    const { command, withErrors, everyMs, name, commands = NO_COMMANDS } = this.#options;
    const startedMs = commands.nowMs();
    const running = commands.run(command, { ...LIMITS, withErrors });
    this.#dueMs = startedMs + everyMs;
    this.#output = new Output(running, {
      identity: this.#identity,
      revision: `${startedMs} ${++this.#runs}`,
      onEnd: (end) => {
        const nowMs = commands.nowMs();
        this.#dueMs = Math.max(this.#dueMs, nowMs + REST_FACTOR * (nowMs - startedMs));
        return this.#news(sentence(name, end));
      },
      afresh: async () => this.#run(),
    });
    return this.#output;
  }

  /** What was said the last time is not said again. */
  #news(note: string): string[] {
    const isNews = note !== this.#told && note !== '';
    this.#told = note;
    return isNews ? [note] : [];
  }
}

const NO_COMMANDS: SourceCommands = {
  nowMs: () => 0,
  run: () => ({
    next: async () => undefined,
    end: { how: 'not_started', code: 'not run here' },
    [Symbol.asyncDispose]: async () => {},
  }),
};

function sentence(name: string, end: CommandEnd): string {
  switch (end.how) {
    case 'exited':
      return end.code === 0 ? '' : `${name} ended with ${end.code ?? 'a signal'}.`;
    case 'timeout':
      return `${name} ran for more than ${LIMITS.timeoutMs / 1000} seconds and was ended.`;
    case 'idle':
      return `${name} printed nothing for ${LIMITS.idleMs / 1000} seconds and was ended.`;
    case 'too_much':
      return `${name} printed more than 256 MiB: the rest is not read. Let it print less, such as with --since.`;
    case 'not_started':
      return `${name} could not be started (${end.code}).`;
  }
}

interface OutputOptions {
  readonly identity: string;
  readonly revision: string;
  onEnd(end: CommandEnd): string[];
  afresh(): Promise<OpenFile | undefined>;
}

class Output implements OpenFile {
  readonly identity: string;
  readonly revision: string;
  readonly modifiedMs = null;
  readonly comes = 'again';
  readonly #running: RunningCommand;
  readonly #bytes: FlowingBytes;
  readonly #notes: string[] = [];
  readonly #afresh: OutputOptions['afresh'];
  #state: 'read' | 'left' | 'ended' = 'read';

  constructor(running: RunningCommand, { identity, revision, onEnd, afresh }: OutputOptions) {
    this.#afresh = afresh;
    this.identity = identity;
    this.revision = revision;
    this.#running = running;
    this.#bytes = new FlowingBytes(async (isSoon) => {
      const piece = await running.next(isSoon);
      if (piece !== undefined) return piece;
      this.#state = 'ended';
      if (running.end !== undefined) this.#notes.push(...onEnd(running.end));
      return undefined;
    });
  }

  /** Somebody stopped reading before its end. */
  get isLeft(): boolean {
    return this.#state === 'left';
  }

  get isEnded(): boolean {
    return this.#state === 'ended';
  }

  taken(): this {
    this.#state = 'read';
    return this;
  }

  get sizeBytes(): number {
    return this.#bytes.receivedBytes;
  }

  more(isSoon?: boolean): Promise<boolean> {
    return this.#bytes.more(isSoon);
  }

  letGo(beforeByte: number): void {
    this.#bytes.letGo(beforeByte);
  }

  async read(fromByte: number, lengthBytes: number): Promise<Uint8Array> {
    return (await this.#bytes.read(fromByte, lengthBytes)) ?? new Uint8Array(0);
  }

  async afresh(): Promise<OpenFile | undefined> {
    this.#state = 'ended';
    await this[Symbol.asyncDispose]();
    return this.#afresh();
  }

  takeNotes(): readonly string[] {
    return this.#notes.splice(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#state === 'read') this.#state = 'left';
    if (this.#state === 'ended') await this.#running[Symbol.asyncDispose]();
  }
}
