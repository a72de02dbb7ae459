export { apply, withdrawn } from './apply.ts';
export { arrivedAtMs } from './arrival-file.ts';
export { arrive } from './arrive.ts';
export { hasFailedToDeploy, movedAtMs, wasOvertaken } from './attested.ts';
export { beforeDecision } from './before-decision.ts';
export { proposalOf } from './commit-message.ts';
export { deploySection } from './config-section.ts';
export { compareBranch, type Delivered, proposalOfBranch, writePatch } from './delivery.ts';
export { isChecked } from './deployed-check.ts';
export { deployedSince, PULL_REQUESTS } from './deployed-since.ts';
export { readDeployment, recordReverted } from './deployment-store.ts';
export { DeployError, type DeployErrorCode } from './errors.ts';
export { retryAtMs } from './forges/github/api.ts';
export type { Approval, ReviewAnswer } from './forges/github/review-decision.ts';
export { type SentWebhook, WebhookReader } from './forges/github/webhook.ts';
export { deployedBy, FORGES, forgeKind, openForge } from './forges.ts';
export { hookPaths } from './hook-paths.ts';
export { claim, INSTALLATION_REF, markersOf, takeOver } from './installation.ts';
export { onTopReport, takenBackFor } from './on-top.ts';
export { mergedOutside } from './outside.ts';
export { branchName } from './plain-text.ts';
export { prepare } from './prepare.ts';
export {
  askedReview,
  type PullPorts,
  publishApproved,
  pullRequests,
  TAKEN_DOWN_IN,
} from './pull-requests.ts';
export { PROJECTED_TABLES, projectEntry, readRows } from './rebuild.ts';
export { revertStep } from './revert.ts';
export {
  type ArrivePorts,
  type CommandRun,
  DEPLOYMENT_STATES,
  type Deployment,
  type DeploymentState,
  type DeployPorts,
  type DeployRunner,
  type Forge,
  type ForgeKind,
  type ForgeReviews,
  type ForgeWorld,
  type Got,
  type JudgeOptions,
  type Published,
  type RevertCall,
} from './types.ts';
export { undo } from './undo.ts';
