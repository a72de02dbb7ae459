/**
 * Every route: which use case it calls, what it takes and gives, and the role it needs. A route that changes
 * something is a POST; its token's holder is recorded as the actor, verified by `token`. The reference
 * (`docs/reference/http.md`) is made from this table.
 */
import { answerAsk, listAsks, showAsk } from '../app/asks.ts';
import { listChanges, showChange, watchChange } from '../app/changes.ts';
import { validateCheckpoint } from '../app/checkpoint.ts';
import { checkClaim } from '../app/claims.ts';
import { showConfiguration } from '../app/configuration.ts';
import { countEvents } from '../app/count-events.ts';
import { showCycle, startCycle } from '../app/cycle.ts';
import { listCycles } from '../app/cycles.ts';
import {
  abort,
  approve,
  endWatch,
  escalate,
  modify,
  pause,
  reject,
  release,
  requestChanges,
  resumeProposal,
  rollBack,
  settle,
} from '../app/decide.ts';
import { openPr, validateBranch, writePatch } from '../app/delivery.ts';
import { examine } from '../app/doctor.ts';
import { listEvents, showEvent } from '../app/events.ts';
import { addEvidence, runEvidence, showEvidence, verifyEvidence } from '../app/evidence.ts';
import { listFeedback } from '../app/feedback.ts';
import { proveBeginning, proveEntry, showLedger, signCheckpoint } from '../app/ledger.ts';
import { listOutbox, settleOutbox, showEffect } from '../app/outbox.ts';
import { overview } from '../app/overview.ts';
import { patternSeries } from '../app/pattern-series.ts';
import {
  forgetPattern,
  ignorePattern,
  listPatterns,
  mergePattern,
  showDiagnosis,
  showPattern,
} from '../app/patterns.ts';
import { acceptTool, listTools, showTool } from '../app/pinned-tools.ts';
import { checkEdit } from '../app/policy-check.ts';
import { listProposals, showDiff, showProposal } from '../app/proposals.ts';
import { propose } from '../app/propose.ts';
import { makePullRequest } from '../app/pull-request.ts';
import { rebuildTables } from '../app/rebuild-tables.ts';
import { retention } from '../app/retention.ts';
import { listSchedules } from '../app/schedules.ts';
import { checkSources, listSources } from '../app/sources.ts';
import { status } from '../app/status.ts';
import { resume, stopAll } from '../app/stop.ts';
import { listSwitches, setSwitch } from '../app/switches.ts';
import { acceptPrompts, taskPrompt } from '../app/task-prompts.ts';
import {
  advanceTask,
  backtrackTask,
  bindSession,
  listTasks,
  releaseTask,
  showTask,
  startTask,
} from '../app/tasks.ts';
import { listTiers, resetTiers, switchTierOff, switchTierOn } from '../app/tiers.ts';
import { addToken, listTokens, revokeToken } from '../app/tokens.ts';
import { listTraces, showTrace } from '../app/traces.ts';
import { trackRecord } from '../app/track-record.ts';
import { listTriggers, requestCycle } from '../app/triggers.ts';
import { verifyLedger } from '../app/verify-ledger.ts';
import * as contracts from '../contracts/index.ts';
import { INSTALLATION_ROUTES } from './installation-routes.ts';
import { type ApiRoute, byPolicy, decide, inspect, operate, see } from './route.ts';

export const API_ROUTES: readonly ApiRoute[] = [
  see('/api/status', {
    about: 'How things stand.',
    answer: contracts.statusJson,
    call: status,
  }),
  see('/api/overview', {
    about: 'Calls and failures by the hour, with deployments, rollbacks and what was found.',
    input: contracts.overviewInput,
    answer: contracts.overviewJson,
    call: overview,
  }),
  see('/api/track-record', {
    about: 'How Hone has done: what people answered, what became of it, and how sure it was.',
    input: contracts.trackRecordInput,
    answer: contracts.trackRecordJson,
    call: trackRecord,
  }),
  see('/api/proposals', {
    about: 'Proposals, the newest first.',
    input: contracts.proposalsListInput,
    answer: contracts.proposalsListJson,
    call: listProposals,
  }),
  see('/api/proposals/:id', {
    about: 'One proposal: why, the proof, the exact change, what happened.',
    answer: contracts.proposalsShowJson,
    call: (context, _, id) => showProposal(context, id),
  }),
  see('/api/proposals/:id/diff', {
    about: 'The change; secrets in it are masked.',
    answer: contracts.proposalsDiffJson,
    call: (context, _, id) => showDiff(context, id),
  }),
  decide('/api/proposals', 'propose', {
    about: 'Proposes a change of your own, as a unified diff.',
    input: contracts.proposeInput,
    answer: contracts.proposedJson,
    call: propose,
  }),
  see('/api/feedback', {
    about: 'What agents said went wrong or could be better, the newest first.',
    input: contracts.feedbackListInput,
    answer: contracts.feedbackListJson,
    call: listFeedback,
  }),
  see('/api/asks', {
    about: 'Calls of tools that wait for a person, the newest first.',
    input: contracts.asksListInput,
    answer: contracts.asksListJson,
    call: listAsks,
  }),
  see('/api/asks/:id', {
    about: 'One of them: the call, and why it waits.',
    answer: contracts.askShowJson,
    call: (context, _, id) => showAsk(context, id),
  }),
  byPolicy('/api/asks/:id/approve', {
    about: 'Lets this one call be made, once.',
    input: contracts.approveInput,
    answer: contracts.answeredJson,
    call: (context, input, id) => answerAsk(context, id, { verdict: 'approved', ...input }),
  }),
  byPolicy('/api/asks/:id/reject', {
    about: 'Refuses the call.',
    input: contracts.becauseInput,
    answer: contracts.answeredJson,
    call: (context, input, id) => answerAsk(context, id, { verdict: 'rejected', ...input }),
  }),
  see('/api/tools', {
    about: 'Definitions of tools that the gateway has pinned, and which changed.',
    answer: contracts.toolsListJson,
    call: listTools,
  }),
  see('/api/tools/:id', {
    about: 'One definition by "server/tool", and a changed one that is offered.',
    answer: contracts.toolShowJson,
    call: (context, _, name) => showTool(context, name),
  }),
  operate('/api/tools/accept', 'accept_tool', {
    about: 'Accepts the changed definition of a tool.',
    input: contracts.toolAcceptInput.extend({ tool: contracts.toolAcceptedJson.shape.tool }),
    answer: contracts.toolAcceptedJson,
    call: (context, { tool, ...input }) => acceptTool(context, tool, input),
  }),
  see('/api/changes', {
    about: 'Changes that reached the target, the newest first.',
    input: contracts.changesListInput,
    answer: contracts.changesListJson,
    call: listChanges,
  }),
  see('/api/changes/:id', {
    about: 'One change: how it is watched, and what came of it.',
    answer: contracts.changesShowJson,
    call: (context, _, id) => showChange(context, id),
  }),
  see('/api/changes/:id/watch', {
    about: 'How near the watch of a change is to an alarm.',
    answer: contracts.watchJson,
    call: (context, _, id) => watchChange(context, id),
  }),
  byPolicy('/api/proposals/:id/approve', {
    about: 'Allows a proposed change.',
    input: contracts.approveInput,
    answer: contracts.decidedJson,
    call: (context, input, id) => approve(context, id, input),
  }),
  byPolicy('/api/proposals/:id/reject', {
    about: 'Refuses a proposed change.',
    input: contracts.rejectInput,
    answer: contracts.decidedJson,
    call: (context, input, id) => reject(context, id, input),
  }),
  byPolicy('/api/proposals/:id/modify', {
    about: 'Puts an edited diff in place of the proposed one; it is validated and decided anew.',
    input: contracts.modifyInput,
    answer: contracts.decidedJson,
    call: (context, input, id) => modify(context, id, input),
  }),
  decide('/api/proposals/:id/check', 'check_text', {
    about: 'What the policy says of an edited diff on the base of this proposal. Nothing is kept.',
    input: contracts.checkEditInput,
    answer: contracts.policyCheckJson,
    call: (context, input, id) => checkEdit(context, id, input),
  }),
  byPolicy('/api/proposals/:id/request-changes', {
    about: 'Holds a proposed change until it is edited, or whoever asked approves it.',
    input: contracts.becauseInput,
    answer: contracts.decidedJson,
    call: (context, input, id) => requestChanges(context, id, input),
  }),
  byPolicy('/api/proposals/:id/escalate', {
    about: 'Raises a proposed change to the highest tier, and tells every operator.',
    input: contracts.becauseInput,
    answer: contracts.decidedJson,
    call: (context, input, id) => escalate(context, id, input),
  }),
  byPolicy('/api/proposals/:id/pause', {
    about: 'Keeps a proposal where it is until it is resumed.',
    input: contracts.becauseInput,
    answer: contracts.decidedJson,
    call: (context, input, id) => pause(context, id, input),
  }),
  byPolicy('/api/proposals/:id/resume', {
    about: 'Lets a paused proposal go on.',
    input: contracts.becauseInput,
    answer: contracts.decidedJson,
    call: (context, input, id) => resumeProposal(context, id, input),
  }),
  byPolicy('/api/proposals/:id/abort', {
    about: 'Gives up a proposal that is not deployed yet.',
    input: contracts.becauseInput,
    answer: contracts.decidedJson,
    call: (context, input, id) => abort(context, id, input),
  }),
  byPolicy('/api/proposals/:id/rollback', {
    about: 'Takes a deployed change back, at any time.',
    input: contracts.becauseInput,
    answer: contracts.decidedJson,
    call: (context, input, id) => rollBack(context, id, input),
  }),
  byPolicy('/api/proposals/:id/settle', {
    about: 'Says what became of a change that Hone could not take back.',
    input: contracts.settleInput,
    answer: contracts.decidedJson,
    call: (context, input, id) => settle(context, id, input),
  }),
  byPolicy('/api/proposals/:id/close-watch', {
    about: 'Ends the watch of a change; it stays, not judged.',
    input: contracts.becauseInput,
    answer: contracts.decidedJson,
    call: (context, input, id) => endWatch(context, id, input),
  }),
  byPolicy('/api/proposals/:id/release', {
    about: 'Lets a proposal out of quarantine.',
    input: contracts.becauseInput,
    answer: contracts.decidedJson,
    call: (context, input, id) => release(context, id, input),
  }),
  byPolicy('/api/actions/write_patch', {
    about: 'Puts an approved change on its branch; other bytes than those decided are refused.',
    input: contracts.writePatchInput,
    answer: contracts.deliveredJson,
    call: writePatch,
  }),
  byPolicy('/api/actions/validate_branch', {
    about: 'Compares the branch of an approved change with what was decided.',
    input: contracts.validateBranchInput,
    answer: contracts.deliveredJson,
    call: validateBranch,
  }),
  byPolicy('/api/actions/open_pr', {
    about: 'Opens the pull request of an approved change, from its branch as it was decided.',
    input: contracts.openPrInput,
    answer: contracts.deliveredJson,
    call: openPr,
  }),
  see('/api/patterns', {
    about: 'Recurring failures and what became of each, the newest first.',
    input: contracts.patternsListInput,
    answer: contracts.patternsListJson,
    call: listPatterns,
  }),
  see('/api/patterns/:id', {
    about: 'One pattern: every cause that was considered, and what would settle it.',
    answer: contracts.patternsShowJson,
    call: (context, _, id) => showPattern(context, id),
  }),
  see('/api/patterns/:id/series', {
    about: 'How a pattern went over time, when it began, and examples of it.',
    answer: contracts.patternSeriesJson,
    call: (context, _, id) => patternSeries(context, id),
  }),
  decide('/api/patterns/:id/ignore', 'steer_loop', {
    about: 'Wants nothing more said of a pattern or proposed for it.',
    input: contracts.patternWishInput,
    answer: contracts.patternWishJson,
    call: (context, input, id) => ignorePattern(context, id, input),
  }),
  decide('/api/patterns/:id/merge', 'steer_loop', {
    about:
      'Says that a pattern is one with another at the same place, for which it counts from then on.',
    input: contracts.patternMergeInput,
    answer: contracts.patternMergeJson,
    call: (context, input, id) => mergePattern(context, id, input),
  }),
  decide('/api/patterns/:id/forget', 'steer_loop', {
    about: 'Forgets a pattern, and the wish to ignore or merge it.',
    input: contracts.patternWishInput,
    answer: contracts.patternWishJson,
    call: (context, input, id) => forgetPattern(context, id, input),
  }),
  see('/api/diagnosis', {
    about: 'What recurs at this moment and why, of which nothing is kept.',
    answer: contracts.diagnosisJson,
    call: showDiagnosis,
  }),
  see('/api/cycles', {
    about: 'Cycles, the newest first.',
    input: contracts.cyclesListInput,
    answer: contracts.cyclesListJson,
    call: listCycles,
  }),
  decide('/api/cycles', 'steer_loop', {
    about: 'Begins a cycle, or names the one that is running.',
    answer: contracts.cycleStartJson,
    call: startCycle,
  }),
  see('/api/cycles/:id', {
    about: 'What a cycle found, and why it acted or not.',
    answer: contracts.cycleJson,
    call: (context, _, id) => showCycle(context, id),
  }),
  decide('/api/stop', 'stop', {
    about: 'Stops everything automatic at once; watching and rolling back go on.',
    input: contracts.stopInput,
    answer: contracts.stopJson,
    call: stopAll,
  }),
  byPolicy('/api/resume', {
    about: 'Lifts the stop.',
    input: contracts.becauseInput,
    answer: contracts.stopJson,
    call: resume,
  }),
  see('/api/switches', {
    about: 'The gates and their modes.',
    answer: contracts.switchListJson,
    call: listSwitches,
  }),
  operate('/api/switches/:id', 'set_gate', {
    about: 'Sets the mode of a gate; weakening one notifies every operator.',
    input: contracts.switchSetInput,
    answer: contracts.switchSetJson,
    call: (context, input, id) => setSwitch(context, id, input),
  }),
  see('/api/tiers', {
    about: 'Which tiers decide without a person, the limit of a day, and the baseline.',
    answer: contracts.tierListJson,
    call: listTiers,
  }),
  byPolicy('/api/tiers/:id/on', {
    about: 'Lets Hone decide at a tier by itself; every operator is told.',
    input: contracts.tierSetInput,
    answer: contracts.tierSetJson,
    call: (context, input, id) => switchTierOn(context, id, input),
  }),
  decide('/api/tiers/:id/off', 'switch_tier_off', {
    about: 'Asks a person again at a tier.',
    input: contracts.tierSetInput,
    answer: contracts.tierSetJson,
    call: (context, input, id) => switchTierOff(context, id, input),
  }),
  byPolicy('/api/tiers/reset', {
    about: 'Ends the pause of automatic changes after a rollback.',
    input: contracts.tierSetInput,
    answer: contracts.tierSetJson,
    call: resetTiers,
  }),
  see('/api/ledger/entries', {
    about: 'Entries of the ledger, the newest last.',
    input: contracts.ledgerShowInput,
    answer: contracts.ledgerShowJson,
    call: showLedger,
  }),
  see('/api/ledger/inclusion', {
    about: 'Proves that an entry is in the ledger (RFC 6962).',
    input: contracts.ledgerProveInput,
    answer: contracts.ledgerProveJson,
    call: proveEntry,
  }),
  see('/api/ledger/consistency', {
    about: 'Proves that the larger ledger extends the smaller one (RFC 6962).',
    input: contracts.ledgerProveInput,
    answer: contracts.ledgerProveJson,
    call: proveBeginning,
  }),
  inspect('/api/ledger/verification', {
    about: 'Verifies the whole ledger.',
    answer: contracts.ledgerVerifyJson,
    call: (context) => verifyLedger(context, {}),
  }),
  operate('/api/ledger/verification', 'tend_ledger', {
    about: 'Verifies it, also against checkpoints that were kept elsewhere.',
    input: contracts.ledgerVerifyInput,
    answer: contracts.ledgerVerifyJson,
    call: verifyLedger,
  }),
  inspect('/api/ledger/tables', {
    about: 'Compares the tables with the ledger that they come from.',
    answer: contracts.ledgerRebuildJson,
    call: (context) => rebuildTables(context, { reason: '' }),
  }),
  operate('/api/ledger/tables', 'tend_ledger', {
    about: 'Corrects the rows that differ from the ledger.',
    input: contracts.becauseInput,
    answer: contracts.ledgerRebuildJson,
    call: (context, { reason }) => rebuildTables(context, { write: true, reason }),
  }),
  operate('/api/ledger/checkpoint', 'tend_ledger', {
    about: 'A signed checkpoint of the ledger, to keep elsewhere.',
    answer: contracts.ledgerCheckpointJson,
    call: signCheckpoint,
  }),
  see('/api/outbox', {
    about: 'Effects outside Hone, the newest first.',
    input: contracts.outboxListInput,
    answer: contracts.outboxListJson,
    call: listOutbox,
  }),
  see('/api/outbox/:id', {
    about: 'One effect by its key, as it is sent.',
    answer: contracts.outboxShowJson,
    call: (context, _, key) => showEffect(context, key),
  }),
  decide('/api/outbox/:id/settle', 'settle_effect', {
    about: 'Says what became of a dead or uncertain effect.',
    input: contracts.outboxSettleInput,
    answer: contracts.outboxSettleJson,
    call: (context, input, key) => settleOutbox(context, key, input),
  }),
  see('/api/schedules', {
    about: 'The schedules, and how they went.',
    answer: contracts.scheduleListJson,
    call: listSchedules,
  }),
  see('/api/triggers', {
    about: 'What asks for a cycle, and what a cycle took.',
    answer: contracts.triggerListJson,
    call: listTriggers,
  }),
  decide('/api/triggers', 'steer_loop', {
    about: 'Asks for a cycle.',
    input: contracts.triggerRequestInput,
    answer: contracts.triggerRequestJson,
    call: requestCycle,
  }),
  see('/api/retention', {
    about: 'How long telemetry is kept, and what would be deleted now.',
    answer: contracts.retentionJson,
    call: (context) => retention(context, { run: false }),
  }),
  operate('/api/retention', 'keep_data', {
    about: 'Deletes telemetry that is older than it is kept.',
    answer: contracts.retentionJson,
    call: (context) => retention(context, { run: true }),
  }),
  see('/api/sources', {
    about: 'What was read from each source, and why lines could not be used.',
    answer: contracts.sourcesListJson,
    call: listSources,
  }),
  see('/api/sources/:id', {
    about: 'What is wrong with the source of that name, and what its files look like.',
    answer: contracts.sourcesCheckJson,
    call: (context, _, name) => checkSources(context, name),
  }),
  see('/api/telemetry/events', {
    about: 'Events of the telemetry, the newest last.',
    input: contracts.eventsListInput,
    answer: contracts.eventsListJson,
    call: listEvents,
  }),
  see('/api/telemetry/counts', {
    about: 'Events counted by one dimension: failures, latencies, tokens, cost.',
    input: contracts.eventsCountInput,
    answer: contracts.eventsCountJson,
    call: countEvents,
  }),
  see('/api/telemetry/events/:id', {
    about: 'One event with all its fields.',
    answer: contracts.eventsShowJson,
    call: (context, _, id) => showEvent(context, id),
  }),
  see('/api/telemetry/traces', {
    about: 'Traces and sessions, the newest first.',
    input: contracts.tracesListInput,
    answer: contracts.tracesListJson,
    call: listTraces,
  }),
  see('/api/telemetry/traces/:id', {
    about: 'The steps of a trace or session, with its first error.',
    input: contracts.tracesShowInput,
    answer: contracts.tracesShowJson,
    call: (context, input, id) => showTrace(context, id, input),
  }),
  see('/api/tasks', {
    about: 'Tasks of agents at work, the newest first.',
    input: contracts.taskListInput,
    answer: contracts.taskListJson,
    call: listTasks,
  }),
  decide('/api/tasks', 'work_on_tasks', {
    about: 'Begins a task in the first phase of a process.',
    input: contracts.taskStartInput,
    answer: contracts.taskJson,
    call: startTask,
  }),
  see('/api/tasks/:id', {
    about: 'One task: its phases, its evidence, what is missing.',
    answer: contracts.taskShowJson,
    call: (context, _, id) => showTask(context, id),
  }),
  decide('/api/tasks/:id/advance', 'work_on_tasks', {
    about: 'Goes to the next phase, if the gate opens; else says what is missing.',
    input: contracts.taskAdvanceInput,
    answer: contracts.taskAdvanceJson,
    call: (context, input, id) => advanceTask(context, id, input),
  }),
  decide('/api/tasks/:id/back', 'work_on_tasks', {
    about: 'Goes back to an earlier phase; later evidence becomes stale.',
    input: contracts.taskBackInput,
    answer: contracts.taskJson,
    call: (context, input, id) => backtrackTask(context, id, input),
  }),
  decide('/api/tasks/:id/bind', 'work_on_tasks', {
    about: 'Says which session of a client works on a task.',
    input: contracts.taskBindInput,
    answer: contracts.taskJson,
    call: (context, input, id) => bindSession(context, id, input),
  }),
  byPolicy('/api/tasks/:id/release', {
    about: 'Lets a task go on about which a person was asked.',
    input: contracts.taskReleaseInput,
    answer: contracts.taskJson,
    call: (context, input, id) => releaseTask(context, id, input),
  }),
  byPolicy('/api/tasks/:id/accept-prompts', {
    about: 'Accepts instruction files that changed while a task runs.',
    input: contracts.taskReleaseInput,
    answer: contracts.taskJson,
    call: (context, input, id) => acceptPrompts(context, id, input),
  }),
  decide('/api/tasks/:id/pull-request', 'work_on_tasks', {
    about: 'Writes a task’s pull request from its evidence.',
    input: contracts.pullRequestInput,
    answer: contracts.pullRequestJson,
    call: (context, input, id) => makePullRequest(context, id, input),
  }),
  see('/api/tasks/:id/checkpoint', {
    about: 'Whether a task may call itself done: tests, build, leftovers, age of the evidence.',
    answer: contracts.checkpointJson,
    call: (context, _, id) => validateCheckpoint(context, id),
  }),
  decide('/api/tasks/:id/evidence-runs', 'work_on_tasks', {
    about: 'Lets Hone run what the phase asks for at the task’s commit, in the sandbox.',
    input: contracts.evidenceRunInput,
    answer: contracts.evidenceRunJson,
    call: (context, input, id) => runEvidence(context, id, input),
  }),
  decide('/api/tasks/:id/evidence', 'work_on_tasks', {
    about: 'Hands a text in; it counts as a claim.',
    input: contracts.evidenceTextInput,
    answer: contracts.evidenceJson,
    call: (context, { name, text, ...input }, id) =>
      addEvidence(context, id, { ...input, file: { name, text } }),
  }),
  see('/api/tasks/:id/prompt', {
    about: 'What the task’s agent is to be told now, and whether that was attested.',
    answer: contracts.taskPromptJson,
    call: (context, _, id) => taskPrompt(context, id),
  }),
  decide('/api/tasks/:id/claims', 'work_on_tasks', {
    about: 'Checks what an agent said about the code of the task’s commit.',
    input: contracts.claimCheckInput,
    answer: contracts.claimCheckJson,
    call: (context, input, id) => checkClaim(context, id, input),
  }),
  see('/api/evidence/:id', {
    about: 'A piece of evidence, of a task or of a validation.',
    answer: contracts.evidenceShowJson,
    call: (context, _, id) => showEvidence(context, id),
  }),
  see('/api/evidence/:id/verification', {
    about: 'Reads every byte of a piece of evidence again, and judges it again.',
    answer: contracts.evidenceVerifyJson,
    call: (context, _, id) => verifyEvidence(context, id),
  }),
  inspect('/api/configuration', {
    about: 'What is in effect, and what accepting hone.yaml would change.',
    answer: contracts.configShowJson,
    call: (context) => showConfiguration(context, { all: true }),
  }),
  inspect('/api/doctor', {
    about: 'Checks everything Hone depends on.',
    answer: contracts.doctorJson,
    call: examine,
  }),
  inspect('/api/tokens', {
    about: 'Tokens, without their secrets.',
    answer: contracts.tokenListJson,
    call: listTokens,
  }),
  operate('/api/tokens', 'manage_tokens', {
    about: 'Creates a token; its secret is only in this answer.',
    input: contracts.tokenAddInput,
    answer: contracts.tokenAddJson,
    call: addToken,
  }),
  operate('/api/tokens/:id/revoke', 'manage_tokens', {
    about: 'Revokes the token of that name.',
    answer: contracts.tokenRevokeJson,
    call: (context, _, name) => revokeToken(context, name),
  }),
  ...INSTALLATION_ROUTES,
];

/** Not in the table, because its answer is no document: the exact bytes of every entry, as they are hashed. */
export const EXPORT_ROUTE = {
  method: 'GET',
  path: '/api/ledger/export',
  role: 'viewer',
  about: 'Every entry of the ledger, one JSON document per line (application/x-ndjson).',
  input: contracts.ledgerExportInput,
  media: 'application/x-ndjson',
} as const;

/** Not in the table, because its answer does not end: entries as they are recorded, as server-sent events. */
export const EVENTS_ROUTE = {
  method: 'GET',
  path: '/api/events',
  role: 'viewer',
  about: 'Ledger entries as they get their place, as server-sent events.',
  input: contracts.ledgerFollowInput,
  media: 'text/event-stream',
} as const;
