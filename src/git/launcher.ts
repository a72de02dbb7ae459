/**
 * A small process that starts others for a large one. It is told what to start over its channel and answers there
 * with what they print and how they end. It holds nothing up: it ends with the process that made it, once those that
 * it started have ended.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { ProcessOrder, Sinks, StartedProcess, startHere } from './start-process.ts';

type Request =
  | { readonly id: number; readonly order: ProcessOrder }
  | { readonly id: number; readonly signal: NodeJS.Signals }
  /** Nobody will signal it any more. */
  | { readonly id: number; readonly isOver: true };

type Answer =
  | { readonly id: number; readonly output: Uint8Array }
  | { readonly id: number; readonly messages: Uint8Array }
  | { readonly id: number; readonly exit: number }
  | { readonly id: number; readonly fault: string };

interface Awaited extends Sinks {
  readonly resolve: (exit: number) => void;
  readonly reject: (cause: Error) => void;
}

/** The program of the small process. Its text is what that process runs: it uses nothing from around it. */
function serve(start: typeof startHere, spawnProcess: typeof spawn): void {
  const running = new Map<number, StartedProcess>();
  const answer = (one: Answer) => {
    if (process.connected) process.send!(one);
  };
  const begin = (id: number, order: ProcessOrder) => {
    const fail = (cause: unknown) =>
      answer({ id, fault: cause instanceof Error ? cause.message : String(cause) });
    try {
      const one = start(spawnProcess, order, {
        onOutput: (output) => answer({ id, output }),
        onMessages: (messages) => answer({ id, messages }),
      });
      running.set(id, one);
      one.ended.then((exit) => answer({ id, exit }), fail);
    } catch (cause) {
      fail(cause);
    }
  };
  process.on('message', (request: Request) => {
    if ('order' in request) begin(request.id, request.order);
    else if ('signal' in request) running.get(request.id)?.signal(request.signal);
    else running.delete(request.id);
  });
}

export class Launcher {
  readonly #child: ChildProcess;
  readonly #awaited = new Map<number, Awaited>();
  #lastId = 0;
  #isOpen = true;

  constructor(start: typeof startHere) {
    const program = `(${serve})(${start}, process.getBuiltinModule('node:child_process').spawn)`;
    this.#child = spawn(process.execPath, ['-e', program], {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      windowsHide: true,
    });
    this.#child.on('message', (answer: Answer) => this.#take(answer));
    this.#child.on('error', () => this.#close());
    this.#child.on('disconnect', () => this.#close());
    this.#child.unref();
    this.#child.channel?.unref();
  }

  /** Whether it can be asked: it may have been killed. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  start(order: ProcessOrder, sinks: Sinks): StartedProcess {
    const id = ++this.#lastId;
    const ended = new Promise<number>((resolve, reject) => {
      this.#awaited.set(id, { ...sinks, resolve, reject });
    });
    this.#child.channel?.ref();
    this.#send({ id, order });
    return {
      ended,
      signal: (signal) => this.#send({ id, signal }),
      release: () => this.#send({ id, isOver: true }),
    };
  }

  #send(request: Request): void {
    // Whether it arrives is seen by its answer, and by the end of the channel.
    if (this.#child.connected) this.#child.send(request, () => {});
    else this.#close();
  }

  #take(answer: Answer): void {
    const one = this.#awaited.get(answer.id);
    if (one === undefined) return;
    if ('output' in answer) one.onOutput(Buffer.from(answer.output));
    else if ('messages' in answer) one.onMessages(Buffer.from(answer.messages));
    else {
      this.#awaited.delete(answer.id);
      if (this.#awaited.size === 0) this.#child.channel?.unref();
      if ('exit' in answer) one.resolve(answer.exit);
      else one.reject(new Error(answer.fault));
    }
  }

  /** What it had started goes on without us; for whoever waits it ended as if it had been killed. */
  #close(): void {
    this.#isOpen = false;
    for (const { onMessages, resolve } of this.#awaited.values()) {
      onMessages(Buffer.from('the process that starts git was ended'));
      resolve(-1);
    }
    this.#awaited.clear();
  }
}
