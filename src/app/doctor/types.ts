/** A check looks at one thing and says what it found, and what to do about it. */
import type { Home } from '../../home/index.ts';
import type { AppContext, Opened, OpenLoop } from '../context.ts';

export interface Finding {
  readonly state: 'ok' | 'warning' | 'error';
  readonly text: string;
  /** What to do; null where nothing is to be done. */
  readonly remedy: string | null;
}

export interface Machine {
  readonly context: AppContext;
  readonly home: Home;
}

export interface WithStore extends Machine {
  readonly opened: Opened;
}

export interface WithLoop extends WithStore {
  readonly open: OpenLoop;
}

/** Checks whose needs are not met are left out, and counted. */
export type Check =
  | { readonly name: string; readonly needs: 'machine'; look(on: Machine): Promise<Finding> }
  | { readonly name: string; readonly needs: 'store'; look(on: WithStore): Promise<Finding> }
  | { readonly name: string; readonly needs: 'loop'; look(on: WithLoop): Promise<Finding> };

export const ok = (text: string): Finding => ({ state: 'ok', text, remedy: null });
export const warning = (text: string, remedy: string): Finding => ({
  state: 'warning',
  text,
  remedy,
});
export const error = (text: string, remedy: string): Finding => ({ state: 'error', text, remedy });
