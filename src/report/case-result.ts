/** What every form of report tells of one test. */
import type { TEST_STATUSES } from '../facts/index.ts';

export interface CaseResult {
  readonly suite: string | undefined;
  readonly test: string;
  readonly status: (typeof TEST_STATUSES)[number];
  readonly durationMs: number | undefined;
  readonly errorMessage: string | undefined;
  /** When it, or its run, began. */
  readonly atMs: number | undefined;
  readonly model?: string | undefined;
}
