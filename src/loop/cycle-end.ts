/** How a cycle ends: its report is kept, what it taught is recorded, and notices are sent. */
import { artifactWrite, makeArtifact, readArtifact } from '../artifact/index.ts';
import { canonicalJson, type Json } from '../base/index.ts';
import { SYSTEM } from '../facts/index.ts';
import { cycleParts } from '../learn/index.ts';
import type { Told } from '../notify/index.ts';
import type { Store } from '../store/index.ts';
import { tellProposed, tellSuggested } from './adapters/notify.ts';
import { readCycle } from './cycle-store.ts';
import type { CycleData, CycleStep } from './cycle-work.ts';
import type { Moment } from './moment.ts';
import { cycleFinish } from './rebuild.ts';
import type { CycleReport, Work } from './types.ts';

export function endCycle(data: CycleData, work: Work, moment: Moment): CycleStep {
  const { nowMs } = moment;
  const { report } = data;
  const artifact = makeArtifact(canonicalJson(report as unknown as Json), 'application/json');
  const acted = report.findings.filter(({ did }) => did !== 'passed_over').length;
  const proposals = report.findings.filter(({ did }) => did === 'proposed').length;
  const outcome = proposals > 0 ? 'proposed' : 'nothing_to_do';
  const result = {
    outcome,
    reportDigest: artifact.digest,
    patterns: acted,
    proposals,
    activeMs: Math.round(work.activeMs),
  } as const;
  const lesson = lessonOf(report);
  const told = toldOf(data, moment);
  const learnt = cycleParts({ cycleId: report.cycle, patterns: acted, proposals, lesson, nowMs });
  return {
    plan: {
      writes: [
        artifactWrite(artifact, nowMs),
        cycleFinish(report.cycle, result, nowMs),
        ...learnt.writes,
        ...told.writes,
      ],
      effects: told.effects,
      entries: [
        {
          type: 'loop.cycle_finished',
          actor: SYSTEM,
          subject: `cycle:${report.cycle}`,
          data: result,
          artifacts: [artifact.digest],
          atMs: nowMs,
        },
        ...learnt.entries,
      ],
    },
    did: lesson,
    data: null,
  };
}

/** Who hears from the schedule that began it; nobody if a person or a failure began it. */
function toldOf({ schedule, report }: CycleData, moment: Moment): Told {
  if (schedule === undefined) return { effects: [], writes: [] };
  const titles = report.findings.filter(({ did }) => did === 'proposed').map(({ why }) => why);
  const suggested = report.findings.filter(({ did }) => did === 'suggested');
  const told = [
    tellProposed({ cycle: report.cycle, schedule, titles }, moment),
    tellSuggested({ cycle: report.cycle, suggested }, moment),
  ];
  return {
    effects: told.flatMap(({ effects }) => effects),
    writes: told.flatMap(({ writes }) => writes),
  };
}

function lessonOf({ findings, collected }: CycleReport): string {
  const proposed = findings.filter(({ did }) => did === 'proposed').length;
  const declined = findings.filter(({ did }) => did === 'declined').length;
  const told = findings.filter(({ did }) => did === 'told').length;
  const suggested = findings.filter(({ did }) => did === 'suggested').length;
  if (proposed + declined + told + suggested === 0) {
    return collected.events === 0 && findings.length === 0
      ? 'no signals: nothing to learn from'
      : 'no failure recurs often enough to act on';
  }
  const parts = [
    ...(proposed === 0 ? [] : [`${count(proposed, 'change')} proposed`]),
    ...(declined === 0 ? [] : [`${count(declined, 'failure')} left alone`]),
    ...(told === 0 ? [] : [`${count(told, 'shift')} told`]),
    ...(suggested === 0 ? [] : [`${count(suggested, 'thing')} to look at`]),
  ];
  return parts.join(', ');
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

/** The report of a finished cycle. */
export async function readReport(store: Store, cycleId: string): Promise<CycleReport | undefined> {
  const cycle = await readCycle(store, cycleId);
  if (cycle === undefined || cycle.reportDigest === null) return undefined;
  const { content } = await readArtifact(store, cycle.reportDigest);
  return JSON.parse(Buffer.from(content).toString()) as CycleReport;
}
