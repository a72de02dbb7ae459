/** What agents hand in by themselves. */
export const SUBMISSION_KINDS = ['proposal', 'feedback'] as const;
export type SubmissionKind = (typeof SUBMISSION_KINDS)[number];
