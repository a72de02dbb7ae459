/** What a source has now, without reading it: for people who ask why no telemetry arrives. */
import { errorMessage } from '../base/index.ts';
import { isSystemFault } from './faults.ts';
import { openSource, placeOf } from './sources.ts';
import type { SourceFiles, SourceSettings } from './types.ts';

export interface SourceLook {
  readonly place: string;
  readonly exists: boolean;
  /** How many files, or whatever it counts by. */
  readonly count: number;
  readonly notes: readonly string[];
  /** Why it cannot be read. */
  readonly fault: string | undefined;
}

/** A place that may not be read does not hide the others. */
export async function lookAtSource(
  settings: SourceSettings,
  files: SourceFiles,
): Promise<SourceLook> {
  const place = placeOf(settings);
  // Nothing is read, so there is nothing to sanitise.
  const source = openSource(settings, { files, clean: (text) => text });
  try {
    const { exists, count, notes } = await source.list();
    return { place, exists, count, notes, fault: undefined };
  } catch (error) {
    if (!isSystemFault(error)) throw error;
    return { place, exists: true, count: 0, notes: [], fault: errorMessage(error) };
  }
}
