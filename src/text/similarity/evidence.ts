/** What one component says about two failures. */
import type { Component } from './types.ts';

export interface Evidence {
  readonly component: Component;
  readonly likeness: number;
  /** What is left of the whole score; 1 unless the difference tells failures apart. */
  readonly remains: number;
  /** Said when nothing differs. */
  readonly note: string;
  /** What differs, first failure first. */
  readonly differs: readonly (readonly [string, string])[];
}

export function alike(component: Component, likeness: number, note: string): Evidence {
  return { component, likeness, remains: 1, note, differs: [] };
}

export function unlike(
  component: Component,
  likeness: number,
  remains: number,
  ...differs: (readonly [string, string])[]
): Evidence {
  return { component, likeness, remains, note: '', differs };
}
