/** What the policy pack says about a place in a patch. */

export interface Place {
  readonly rule: string;
  /** Null for what concerns the whole patch. */
  readonly path: string | null;
  readonly line: number | null;
}

export interface PatchFinding extends Place {
  /** `error` refuses the patch; `warning` is for a person to decide. */
  readonly level: 'error' | 'warning';
  readonly message: string;
}

export const refused = (place: Place, message: string): PatchFinding => ({
  ...place,
  level: 'error',
  message,
});

export const warned = (place: Place, message: string): PatchFinding => ({
  ...place,
  level: 'warning',
  message,
});
