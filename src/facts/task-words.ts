/** Words about tasks and their agents beside those of `task.ts`. */

/** Coding agents whose hooks Hone answers. */
export const HOOK_CLIENTS = ['claude-code', 'codex'] as const;
export type HookClient = (typeof HOOK_CLIENTS)[number];

/**
 * Why a person is asked about a task: the same violation again and again, no progress, or claims that were refused after
 * their clarification.
 */
export const ESCALATION_CAUSES = ['repeated', 'stalled', 'claims'] as const;
export type EscalationCause = (typeof ESCALATION_CAUSES)[number];
