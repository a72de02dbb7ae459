/** Words about tasks beside those of `task.ts`. */

/**
 * Why a person is asked about a task: the same violation again and again, no progress, or claims that were refused after
 * their clarification.
 */
export const ESCALATION_CAUSES = ['repeated', 'stalled', 'claims'] as const;
export type EscalationCause = (typeof ESCALATION_CAUSES)[number];
