/** The notices that people get, and their channels. */
import { PULL_REQUESTS, TAKEN_DOWN_IN } from '../../deploy/index.ts';
import type { EffectDraft, Pattern } from '../../facts/index.ts';
import type { SuspectedChange } from '../../monitor/index.ts';
import { channelsOf, type Notice, type Told, tellNews } from '../../notify/index.ts';
import type { Dossier, ProposalStep } from '../../proposal/index.ts';
import {
  lateHarmNews,
  newsOf,
  type ProposedBySchedule,
  proposedNews,
  returnedNews,
  type SuggestedByScan,
  suggestedNews,
} from '../news.ts';
import type { HoneConfig } from '../sections.ts';

interface Telling {
  readonly config: HoneConfig;
  readonly nowMs: number;
}

/** About a step, including one that a person took. */
export function tellStep(dossier: Dossier, step: ProposalStep, telling: Telling): Told {
  const told = tell(newsOf(dossier, step), telling);
  return { ...told, effects: [...told.effects, ...pullEffects(dossier, step, telling.config)] };
}

/** Its pull request is published when a decision is asked for, and closed when it is over. Never while stopped. */
function pullEffects(
  { proposal }: Dossier,
  { to }: ProposalStep,
  { deploy }: HoneConfig,
): EffectDraft[] {
  if (deploy.forge !== 'github' || !deploy.github.draftPulls || to === undefined) return [];
  if (to !== 'pending' && !TAKEN_DOWN_IN.includes(to)) return [];
  return [
    {
      key: `pull/${proposal.id}/${proposal.version}/${to}`,
      destination: PULL_REQUESTS,
      payload: { proposal: proposal.id },
      step: 'approve',
    },
  ];
}

/** About a change that seems to do harm, found while looking for something else. */
export function tellLateHarm(suspect: SuspectedChange, telling: Telling): Told {
  return tell([lateHarmNews(suspect)], telling);
}

/** About failures that are back after their fix. */
export function tellReturned(patterns: readonly Pattern[], telling: Telling): Told {
  return tell(patterns.flatMap(returnedNews), telling);
}

/** About a cycle that a schedule began. */
export function tellProposed(made: ProposedBySchedule, telling: Telling): Told {
  return tell(proposedNews(made, telling.config.schedules), telling);
}

/** About what the weekly scan found. */
export function tellSuggested(found: SuggestedByScan, telling: Telling): Told {
  return tell(suggestedNews(found), telling);
}

function tell(news: readonly Notice[], { config, nowMs }: Telling): Told {
  const channels = channelsOf(config.notify);
  const told = news.map((notice) => tellNews(notice, channels, nowMs));
  return {
    effects: told.flatMap(({ effects }) => effects),
    writes: told.flatMap(({ writes }) => writes),
  };
}
