/** What is still missing after Hone was set up before Hone can do something, in the order to do it. */
import type { HoneConfig } from '../loop/index.ts';
import type { NearbyTelemetry } from './nearby-telemetry.ts';
import { checkedOutWords, noBranchWords, type TargetLook } from './target-look.ts';

export interface NextStep {
  readonly what: string;
  /** Lines to copy, below `what`. */
  readonly lines?: readonly string[];
}

/** `configFile`: as a person is told where it is. */
export function nextSteps(
  config: Pick<HoneConfig, 'observe' | 'target' | 'deploy'>,
  look: TargetLook | undefined,
  configFile: string,
  nearby: readonly NearbyTelemetry[],
): NextStep[] {
  const isEdited = config.observe.sources.length === 0 || config.target.agentFiles.length === 0;
  return [
    ...telemetrySteps(config, nearby, configFile),
    ...agentFileSteps(config, look, configFile),
    ...(isEdited ? [{ what: 'Put that into effect: hone config accept' }] : []),
    ...branchSteps(config, look),
    { what: 'Look for something to fix: hone cycle' },
    { what: 'Let it run by itself: hone up' },
  ];
}

/** What is near is named, with the command; else how to find out. */
function telemetrySteps(
  { observe }: Pick<HoneConfig, 'observe'>,
  nearby: readonly NearbyTelemetry[],
  file: string,
): NextStep[] {
  if (observe.sources.length > 0) return [];
  if (nearby.length > 0) {
    return nearby.map(({ what, command }) => ({ what: `Connect ${what}: ${command}` }));
  }
  return [
    {
      what: `Say where your agents' telemetry is, to have it written into ${file}: hone sources add <path>`,
    },
    { what: 'To see first what is in it: hone look <path>' },
  ];
}

function agentFileSteps(
  { target }: Pick<HoneConfig, 'target'>,
  look: TargetLook | undefined,
  file: string,
): NextStep[] {
  if (target.agentFiles.length === 0) {
    return [
      {
        what: `No agent files were found. Name the files that Hone may tune. Put this into ${file}:`,
        lines: ['target:', '  agentFiles: ["agents/*.yaml"]'],
      },
    ];
  }
  return (look?.agentFiles ?? []).slice(0, 3).map((what) => ({ what }));
}

function branchSteps(
  { deploy }: Pick<HoneConfig, 'deploy'>,
  look: TargetLook | undefined,
): NextStep[] {
  if (look === undefined) return [];
  const { hasBranch, checkedOutAt, remote } = look;
  return [
    ...(remote === undefined ? [] : [{ what: whereWords(deploy, remote) }]),
    ...(hasBranch ? [] : [{ what: noBranchWords(deploy.branch) }]),
    ...(checkedOutAt === undefined ? [] : [{ what: checkedOutWords(deploy.branch, checkedOutAt) }]),
  ];
}

/** Where the repository has a remote, people expect one or the other. */
function whereWords(
  { branch, forge, remote: name }: HoneConfig['deploy'],
  address: string,
): string {
  if (forge === 'remote')
    return `An approved change is pushed to ${branch} of ${name}, ${address}.`;
  return `An approved change moves ${branch} of this repository and is not pushed. To have it pushed to ${name} (${address}), set deploy.forge to remote.`;
}
