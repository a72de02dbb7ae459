export {
  advanceGate,
  GATE_CODES,
  type GateCode,
  type GateInput,
  type GateReason,
  type GateVerdict,
  type LeaseFact,
} from './advance-gate.ts';
export {
  definitionSchema,
  type Phase,
  type ProcessDefinition,
  phasesInOrder,
} from './definition.ts';
export { ProcessError, type ProcessErrorCode } from './errors.ts';
export { processesOf, readDefinition } from './processes.ts';
export { escalatedTasks, findTask, listTasks, sessionsOf, taskOfSession } from './task-store.ts';
export { taskContextOf, taskContextOfSession } from './task-view.ts';
export {
  type AdvanceRequest,
  leaseName,
  type ProcessSettings,
  type StartRequest,
  type TaskOutcome,
  type TaskRefusal,
  Tasks,
} from './tasks.ts';
export {
  type PlanParts,
  type PromptDrift,
  TASK_STATES,
  type Task,
  type TaskPersona,
  type TaskState,
} from './types.ts';
export { spanOf, type WorkMoment } from './work-events.ts';
