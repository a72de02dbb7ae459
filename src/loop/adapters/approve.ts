/** The ports that asking for a decision needs. */
import type { ApprovePorts } from '../../approve/index.ts';
import { beforeDecision } from '../../deploy/index.ts';
import { channelsOf, noticeEffects } from '../../notify/index.ts';
import type { Moment } from '../moment.ts';
import { branchOf, forgeOf } from './target.ts';

export function approvePorts(moment: Moment): ApprovePorts {
  const { config, gate, nowMs, allowedBy } = moment;
  return {
    nowMs,
    gate,
    ...(allowedBy === undefined ? {} : { allowedBy }),
    askAgainAfterMs: config.approve.askAgainAfter,
    beforeDecision: async () => {
      const hindrance = await forgeOf(moment).hindrance(branchOf(moment));
      return [...beforeDecision(config.deploy), ...(hindrance === undefined ? [] : [hindrance])];
    },
    notice: (told) => noticeEffects({ ...told, step: 'approve' }, channelsOf(config.notify)),
  };
}
