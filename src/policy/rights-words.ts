/** The words in which rights are asked: actions by the group that a policy can name, who asks, and about what. */
import type { Actor, Role } from '../facts/index.ts';

/** Each belongs to one group (`shipped.cedarschema` says the same to those who write policies). */
export const ACTIONS = {
  decide: [
    'approve',
    'reject',
    'request_changes',
    'escalate',
    'modify',
    'pause',
    'continue',
    'abort',
    'release',
    'settle',
    'close_watch',
    'answer',
    'release_task',
    'accept_prompts',
  ],
  take_back: ['roll_back'],
  operate: [
    'weaken_gate',
    'switch_tier',
    'resume',
    'accept_configuration',
    'accept_tool',
    'remove_hooks',
    'take_over',
    'restore',
    'rebuild',
  ],
  automate: ['decide_alone'],
  suggest: ['propose'],
  deliver: ['write_patch', 'validate_branch', 'open_pr'],
  /** The daily work, which decides nothing about a change. */
  work: ['steer_loop', 'settle_effect', 'work_on_tasks', 'check_text'],
  halt: ['stop', 'switch_tier_off'],
  administer: ['set_gate', 'manage_tokens', 'keep_data', 'connect_telemetry', 'tend_ledger'],
} as const;

export type ActionGroup = keyof typeof ACTIONS;
export type Action = (typeof ACTIONS)[ActionGroup][number];

export function groupOf(action: Action): ActionGroup {
  const groups = Object.keys(ACTIONS) as ActionGroup[];
  return groups.find((group) => (ACTIONS[group] as readonly Action[]).includes(action))!;
}

/** `role`: of the token that they show; without one they are whoever is at the machine, or a reviewer at the forge. */
export interface Who {
  readonly actor: Actor;
  readonly role: Role | undefined;
}

/** What an action is about. Paths are those of the target. */
export type RightSubject =
  | {
      readonly kind: 'Proposal';
      readonly id: string;
      readonly tier: string;
      readonly type: string;
      readonly risk: string;
      readonly state: string;
      readonly proposer: string;
      readonly files: readonly string[];
    }
  | { readonly kind: 'Gate'; readonly id: string; readonly mode: string }
  | { readonly kind: 'Tier' | 'Question' | 'Task' | 'Installation'; readonly id: string };

export interface RightAsked {
  readonly who: Who;
  readonly action: Action;
  readonly subject: RightSubject;
  readonly door: 'command' | 'http' | 'forge' | 'loop';
  /** Whether there ever was an operator; only who operates is asked that. */
  readonly operators?: 'never' | 'some' | 'lost';
}

export type RightAnswer =
  | {
      readonly allowed: true;
      /** The policies that allowed it. */
      readonly by: readonly string[];
    }
  | {
      readonly allowed: false;
      /** The policies that forbid it; none where nothing allows it. */
      readonly by: readonly string[];
      /** What is wrong with the policies, where that is why. */
      readonly fault?: string;
    };

/** A file of the target, as it was accepted. */
export interface PolicyFile {
  readonly path: string;
  readonly text: string;
}
