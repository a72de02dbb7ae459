export { diagnoseNow } from './adapters/diagnose.ts';
export { forgeOf, targetOf } from './adapters/target.ts';
export { type ByHand, callBack, decideByHand } from './by-hand.ts';
export { closeWatch } from './close-watch.ts';
export { readReport } from './cycle-end.ts';
export { type Cycle, listCycles, openCycle, readCycle } from './cycle-store.ts';
export { type Delivery, deliverAction } from './delivery.ts';
export { type DeliveryPorts, deliver, loopDestinations } from './destinations.ts';
export { pauseQuestion } from './gates.ts';
export { tellLateNews } from './late-news.ts';
export { Loop, type Started } from './loop.ts';
export { gateComments, makeProjections } from './manifests.ts';
export { type Modification, modifyByHand } from './modify.ts';
export { TIER_SETTINGS } from './moment.ts';
export { openedPulls } from './opened-pulls.ts';
export { ownedFiles } from './owners.ts';
export { type Held, heldBy, releaseByHand } from './release.ts';
export { type ReminderOptions, reminders } from './reminders.ts';
export { dryRetention, runRetention } from './retention.ts';
export { proposalSubject } from './right-subject.ts';
export { loopSchedules } from './schedules.ts';
export { type HoneConfig, honeSections } from './sections.ts';
export { type SettingAside, setAsideByHand } from './set-aside.ts';
export { type Settlement, settleByHand } from './settle.ts';
export type { Sign } from './signatures.ts';
export { isStuck } from './stuck.ts';
export { type ChangeSubmission, type Submitted, submitChange } from './submit.ts';
export { nextStep, PROPOSAL_STEPS, type StepRow } from './table.ts';
export { escalationNotice } from './task-notices.ts';
export { listTriggers, queueTrigger } from './trigger-store.ts';
export type { CycleReport, Finding, LoopPorts, Taken, Work } from './types.ts';
export {
  type NeedsPerson,
  openWorks,
  proposalsThatNeedAPerson,
  type WaitingProposal,
  waitingOf,
  waitingProposals,
} from './waiting.ts';
export { wakeProposal } from './wake.ts';
export { countDue, nextDueMs, troubledWorks } from './works.ts';
