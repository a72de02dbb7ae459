/** What people are told when a task of an agent needs them. */
import type { EffectDraft } from '../facts/index.ts';
import { type Channels, noticeEffects } from '../notify/index.ts';
import type { Task } from '../process/index.ts';

/** A request, so it is sent at once. One per version: the task may need somebody again later. */
export function escalationNotice(
  task: Pick<Task, 'id' | 'version' | 'title' | 'phase'>,
  why: string,
  channels: Channels,
): EffectDraft[] {
  return noticeEffects(
    {
      key: `task/${task.id}/${task.version}`,
      to: 'approver',
      severity: 'high',
      title: `A task needs a person in ${task.phase}: ${task.title}`,
      text: `${why} Look: hone task show ${task.id}. Then: hone asks list`,
      step: 'approve',
    },
    channels,
  );
}
