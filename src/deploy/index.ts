export { apply } from './apply.ts';
export { movedAtMs, wasOvertaken } from './attested.ts';
export { beforeDecision } from './before-decision.ts';
export { deploySection } from './config-section.ts';
export { readDeployment, recordReverted } from './deployment-store.ts';
export { DeployError, type DeployErrorCode } from './errors.ts';
export { deployedBy, FORGES, forgeKind, openForge } from './forges.ts';
export { claim, INSTALLATION_REF, markersOf, takeOver } from './installation.ts';
export { branchName } from './plain-text.ts';
export { prepare } from './prepare.ts';
export { PROJECTED_TABLES, projectEntry, readRows } from './rebuild.ts';
export { revertStep } from './revert.ts';
export {
  DEPLOYMENT_STATES,
  type Deployment,
  type DeploymentState,
  type DeployPorts,
  type Forge,
  type ForgeKind,
  type RevertCall,
} from './types.ts';
