/** The notices that people get, and their channels. */

import type { SuspectedChange } from '../../monitor/index.ts';
import { channelsOf, type Notice, type Told, tellNews } from '../../notify/index.ts';
import type { Dossier, ProposalStep } from '../../proposal/index.ts';
import { lateHarmNews, newsOf, type ProposedBySchedule, proposedNews } from '../news.ts';
import type { HoneConfig } from '../sections.ts';

interface Telling {
  readonly config: HoneConfig;
  readonly nowMs: number;
}

/** About a step, including one that a person took. */
export function tellStep(dossier: Dossier, step: ProposalStep, telling: Telling): Told {
  return tell(newsOf(dossier, step), telling);
}

/** About a change that seems to do harm, found while looking for something else. */
export function tellLateHarm(suspect: SuspectedChange, telling: Telling): Told {
  return tell([lateHarmNews(suspect)], telling);
}

/** About a cycle that a schedule began. */
export function tellProposed(made: ProposedBySchedule, telling: Telling): Told {
  return tell(proposedNews(made, telling.config.schedules), telling);
}

function tell(news: readonly Notice[], { config, nowMs }: Telling): Told {
  const channels = channelsOf(config.notify);
  const told = news.map((notice) => tellNews(notice, channels, nowMs));
  return {
    effects: told.flatMap(({ effects }) => effects),
    writes: told.flatMap(({ writes }) => writes),
  };
}
