export { answerPlan } from './ask-store.ts';
export { answerTimes, countWaitingAsks, findAsks, listAsks } from './asks-view.ts';
export { ContractBook } from './contracts.ts';
export { decide, type Ground } from './decide.ts';
export { foreignCode } from './foreign-code.ts';
export { type HookRecord, hooksPlan, readHooks } from './hook-store.ts';
export {
  agentName,
  contextOf,
  digestOfCall,
  Judge,
  type JudgePorts,
  sessionName,
} from './judge.ts';
export { fullName, isPlainToolName } from './names.ts';
export {
  acceptPlan,
  type Definition,
  definitionDigest,
  listPins,
  pinPlan,
  readPins,
} from './pin-store.ts';
export { guardedPaths, secretPathIn } from './secret-paths.ts';
export {
  ASK_STATES,
  type Ask,
  type Call,
  type Caller,
  type Contract,
  type Decision,
  type GatewaySettings,
  type History,
  type Pin,
  type Reason,
  type TaskContexts,
  type Verdict,
} from './types.ts';
