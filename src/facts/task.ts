/** What the rooms that govern agents at work share: how risky a tool is, and where a task stands. */

/** From harmless to never: the order is the order of risk. */
export const TOOL_RISKS = ['read_only', 'low', 'medium', 'high', 'blocked'] as const;
export type ToolRisk = (typeof TOOL_RISKS)[number];

/** Where a governed task stands when one of its agents calls a tool. */
export interface TaskContext {
  readonly taskId: string;
  /** The name of its process, such as `autopilot`. */
  readonly process: string;
  readonly phase: string;
  /** The riskiest tool that the phase lets pass; a tool above it belongs to a later phase. */
  readonly phaseRisk: ToolRisk;
  /** Tools that the phase allows whatever their risk, as `server/tool` patterns with `*`. */
  readonly phaseTools: readonly string[];
  /** Tools that the task's persona may use, as the same patterns; undefined where it has no persona. */
  readonly personaTools: readonly string[] | undefined;
}
