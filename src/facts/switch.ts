/** Modes of Hone's gates, and the kill switch's words. */

/** `off` needs a human and is recorded; gates enforce by default, new telemetry observes. */
export const SWITCH_MODES = ['off', 'observe', 'enforce'] as const;
export type SwitchMode = (typeof SWITCH_MODES)[number];

/** Every gate with its default mode. A weaker one is worth reporting. */
export const SHIPPED_MODES = {
  deploy: 'enforce',
  vetting: 'enforce',
  identity: 'enforce',
  limits: 'enforce',
  telemetry: 'observe',
  gateway: 'observe',
  hooks: 'observe',
} as const satisfies Readonly<Record<string, SwitchMode>>;

/**
 * Every kind of step Hone takes by itself. The kill switch and the limits stop all but the last
 * two: watching and rolling back are never stopped.
 */
export const STEP_KINDS = [
  'observe',
  'diagnose',
  'propose',
  'vet',
  'validate',
  'approve',
  'deploy',
  'notify',
  'learn',
  'monitor',
  'rollback',
] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export const UNSTOPPABLE_STEPS: readonly StepKind[] = ['monitor', 'rollback'];
