/** `hone status`: the status within a second. Loads only what it reads. */

import { clockWords } from '../../app/clock-doubts.ts';
import { networkWords } from '../../app/listens-on.ts';
import { status as collect } from '../../app/status.ts';
import { checkedOutWords } from '../../app/target-look.ts';
import type { Status } from '../../contracts/status.ts';
import { answer } from '../answer.ts';
import { attentionLines } from '../attention-lines.ts';
import { baselineText } from '../baseline-text.ts';
import type { Context } from '../context.ts';
import { heldBackLines, limitsText } from '../held-back-lines.ts';
import { type Io, plainLine } from '../io.ts';
import { fields, wrap } from '../layout.ts';

export function status(context: Context): Promise<number> {
  return answer(context, collect(context), (shown) => statusText(shown, context.io));
}

const CONFIGURATION = {
  accepted: 'accepted',
  edited: 'hone.yaml was edited; no effect until "hone config accept"',
  missing: 'hone.yaml is missing; the accepted configuration stays in effect',
  outdated: 'READ DIFFERENTLY by this build; see "hone config show"',
  unreadable: 'UNREADABLE by this build; correct hone.yaml, "hone config accept"',
  superseded: 'NOT the one accepted last; see "hone config show"',
};

function goesToText({ branch, remote }: Status['goesTo']): string {
  const place = remote === null ? 'this repository' : `the remote ${plainLine(remote)}`;
  return `${plainLine(branch)} of ${place}`;
}

function statusText(shown: Status, io: Io): string {
  const { ledger } = shown;
  const signed =
    ledger.checkpointSize === null ? 'none signed yet' : `signed up to ${ledger.checkpointSize}`;
  const rows: [string, string][] = [
    ['Repository', plainLine(shown.root)],
    ['Store', plainLine(shown.store)],
    ['Running', shown.stopReason === null ? 'allowed' : `STOPPED: ${plainLine(shown.stopReason)}`],
    ['Configuration', CONFIGURATION[shown.configuration]],
    ['Goes to', goesToText(shown.goesTo)],
    ['Gates', gatesText(shown.notEnforced)],
    ['Decides', decidesText(shown.automatic)],
    ['Limits', limitsText(shown.limits)],
    ['Baseline', baselineText(shown.baseline)],
    ...(shown.hooks.length === 0 ? [] : [['Hooks', hooksText(shown.hooks)] as [string, string]]),
    ['Ledger', `${ledger.entries} entries, ${signed}${unplacedText(ledger.unplaced)}`],
    ['Telemetry', telemetryText(shown.telemetry)],
    ['Receiver', receiverText(shown.receiver)],
    ['Proposals', countsText(shown.proposals)],
    ['Outbox', countsText(shown.effects)],
    ['Hone itself', healthText(shown.health)],
  ];
  const attention = [
    ...stopLines(shown),
    ...shown.clockDoubts.map(clockWords),
    ...(shown.otherInstallation
      ? [
          'ANOTHER INSTALLATION of Hone is in charge of this repository; this one deploys nothing. "hone init" says which.',
        ]
      : []),
    ...(shown.networkHost === null ? [] : [networkWords(shown.networkHost)]),
    ...(shown.checkedOut === null
      ? []
      : [checkedOutWords(shown.checkedOut.branch, shown.checkedOut.folder)]),
    ...(shown.notEnforced.length === 0
      ? []
      : ['Not every gate enforces. See "hone switch list"; "hone switch set" changes one.']),
    ...shown.hooks.flatMap(hookLines),
    ...failedScheduleLines(shown.failedSchedule),
    ...(shown.effects['dead'] || shown.effects['uncertain']
      ? ['Some effects need a person: see "hone outbox list".']
      : []),
    ...(shown.triggers === 0
      ? []
      : [`${shown.triggers} waiting for a cycle: see "hone trigger list".`]),
    ...(shown.proposals['pending']
      ? ['Proposals wait for a decision: see "hone proposals list --state pending".']
      : []),
    ...heldBackLines(shown),
    ...attentionLines(shown),
    ...shown.troubles.map(
      ({ work, attempts, error }) =>
        `${work} failed ${attempts} times: ${plainLine(error).slice(0, 300)}`,
    ),
  ];
  const { columns } = io;
  return (
    fields(rows, columns) +
    attention.map((line) => io.style('yellow', wrap(plainLine(line), columns))).join('')
  );
}

function stopLines({ configuration, stopReason }: Status): string[] {
  if (configuration === 'unreadable') {
    return [
      'This build cannot read the accepted configuration, so it only watches and rolls back. "hone config check" says what is wrong in hone.yaml; correct it, then "hone config accept".',
    ];
  }
  if (configuration === 'outdated') {
    return [
      'This build reads the accepted configuration differently, so it only watches and rolls back. See "hone config show" for what differs, then "hone config accept".',
    ];
  }
  if (configuration === 'superseded') {
    return [
      'The configuration kept here is not the one accepted last, so Hone only watches and rolls back. See "hone config show"; make hone.yaml say what was accepted, then "hone config accept".',
    ];
  }
  return stopReason === null ? [] : ['Everything automatic is stopped; "hone resume" lifts it.'];
}

function failedScheduleLines(failed: Status['failedSchedule']): string[] {
  if (failed === null) return [];
  const { name, outcome, at, error } = failed;
  const how = outcome === 'timed_out' ? 'took too long' : 'failed';
  const when = at.slice(0, 16).replace('T', ' ');
  const why = error === null ? '' : `: ${plainLine(error).slice(0, 300)}`;
  return [`The schedule ${name} ${how} at ${when} UTC${why}. See "hone schedule list".`];
}

function decidesText(automatic: Status['automatic']): string {
  if (automatic.length === 0) return 'a person, every change';
  return `HONE BY ITSELF at tier ${automatic.join(' and ')} ("hone tiers list")`;
}

function gatesText(notEnforced: Status['notEnforced']): string {
  if (notEnforced.length === 0) return 'none is weakened';
  return notEnforced.map(({ gate, mode }) => `${gate} ${mode.toUpperCase()}`).join(', ');
}

function hooksText(hooks: Status['hooks']): string {
  return hooks
    .map(({ client, verdict, probedAt }) => {
      const when =
        probedAt === null ? 'never tried' : `tried ${probedAt.slice(0, 16).replace('T', ' ')}`;
      return `${client} ${verdict === 'taken away' ? 'TAKEN AWAY' : verdict} (${when})`;
    })
    .join(', ');
}

function hookLines({ client, verdict, why }: Status['hooks'][number]): string[] {
  if (verdict === 'proven') return [];
  const what = `The hooks of ${client} are ${verdict}: ${plainLine(why)}`;
  if (verdict === 'not proven') return [what];
  return [
    `${what} Its agents’ tasks stop at verify until "hone hooks install ${client} --write", or until an operator records it with "hone hooks off".`,
  ];
}

function telemetryText({ eventsDays, countsDays, lastAt }: Status['telemetry']): string {
  const days = (number: number) => `${Number(number.toFixed(1))} days`;
  const last = lastAt === null ? 'never' : `${lastAt.slice(0, 16).replace('T', ' ')} UTC`;
  return `events kept for ${days(eventsDays)}, counts for ${days(countsDays)}; cleaned ${last}`;
}

const RECEIVER: Readonly<Record<Status['receiver']['state'], string>> = {
  off: 'switched off (observe.otlp.enabled)',
  free: 'nothing listens; "hone up" would',
  listening: 'listening',
  other_hone: 'BUSY: the "hone up" of another repository listens there',
  other_program: 'BUSY: another program listens there',
};

function receiverText({ address, state, lastHour }: Status['receiver']): string {
  const came = lastHour === null ? 'cannot be read' : `${lastHour} events`;
  return `${plainLine(address)} ${RECEIVER[state]}; ${came} in the last hour`;
}

function healthText(checks: Status['health']): string {
  return checks
    .map(({ state, text }) => (state === 'ok' || state === 'unknown' ? text : `${text} (${state})`))
    .join(', ');
}

function unplacedText(unplaced: number): string {
  return unplaced === 0 ? '' : `, ${unplaced} not placed yet`;
}

function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([state, count]) => `${count} ${state}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}
