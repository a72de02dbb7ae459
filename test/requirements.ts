/**
 * What Hone must do, by id. A test names the ids it proves in its title. The house fails on an id nobody
 * knows; a whole test run fails on a claimed id that no test proved (`tools/closing-line.ts`). `open` is not
 * built yet, or not wholly.
 */

export interface Requirement {
  readonly what: string;
  readonly state: 'claimed' | 'open';
  /** What of a claim is otherwise on purpose, and why. */
  readonly except?: string;
  /** What keeps an open one from being claimed, where the rest of it is built. */
  readonly missing?: string;
}

const claimed = (what: string, except?: string): Requirement => ({
  what,
  state: 'claimed',
  ...(except !== undefined && { except }),
});
const open = (what: string, missing?: string): Requirement => ({
  what,
  state: 'open',
  ...(missing !== undefined && { missing }),
});

export const REQUIREMENTS: Readonly<Record<string, Requirement>> = {
  'STORE-1': claimed(
    'SQLite embedded by default, no set-up; several processes (server, CLI, hooks) may use it at once',
  ),
  'STORE-2': claimed(
    'PostgreSQL by a URL in the configuration; the same contract suite passes on both',
  ),
  'STORE-3': claimed(
    'Versioned migrations, safe when started twenty at a time, refused when the schema is newer and breaking; golden schema dump; generated schema reference',
  ),
  'STORE-4': open(
    'Retention per kind of data, run as scheduled work, with a dry run that lists what would go: events 30 d; traces of passing runs 24 h, screenshots and HAR 48 h, of failing runs 30 d; evidence packs 7 d passing, 90 d failing; no video of passing runs; less than 500 MB a day kept; rollups 90 d, and evidence that a decision names as long as the decision; backups, patch branches and artifacts that nothing names go too',
    'packs, traces, screenshots and videos do not exist yet; backups, patch branches and artifacts are kept',
  ),
  'STORE-5': claimed(
    '`hone backup` / `hone restore`: consistent while running, proofs still verify afterwards; after a restore unsent effects are `uncertain`, fencing rises and automatic steps pause until a person resumes',
  ),
  'CONFIG-1': claimed(
    '`hone.yaml`: every threshold that something uses, with its default; a key that nothing reads does not exist; each key knows which direction weakens; all errors at once, with line and key',
  ),
  'CONFIG-2': claimed(
    '`hone init`: detects languages, package managers, test runners, CI, agent files; writes a commented file; running it twice changes nothing',
  ),
  'LEDGER-1': claimed(
    'Append-only; every state change of every room, with actor, subject, artifact hashes; written in the same transaction as the change',
  ),
  'LEDGER-2': claimed(
    '`hone ledger verify` names the first entry that was altered, removed, reordered or inserted',
  ),
  'LEDGER-3': claimed(
    'Signed checkpoints, inclusion and consistency proofs (all published vectors), verification against a checkpoint held elsewhere finds truncation, rewriting and forks',
  ),
  'LEDGER-4': claimed(
    'Replay and backfill: every read model that comes from the ledger (not from telemetry), dropped and rebuilt, is byte-equal',
  ),
  'OUTBOX-1': claimed(
    'External effects are queued in the transaction that decides them, with an idempotency key, and resumed after a crash: one effect per key',
  ),
  'LEASE-1': claimed(
    "Exclusive work with TTL, renewal, expiry and fencing; a stale holder's write is refused inside the transaction; contention is counted",
  ),
  'SCHED-1': claimed(
    'Schedules as cron expressions (telemetry 01:00, self-evaluation 02:00, critical notices every 5 minutes, high hourly, digest 09:00, enhancement scan Sunday 06:00), each with a timeout and whom to notify on what (routed: the others hear nothing); missed runs are caught up once',
  ),
  'KILL-1': claimed(
    'A kill switch (`hone stop-all`, HTTP, file) halts every deployment and every automatic step at once, survives restarts, is recorded, and only a human lifts it. It and the rate limits never stop monitoring or rollback',
  ),
  'SWITCH-1': claimed(
    "Every gate of Hone has a mode off, observe or enforce (Hone's own gates enforce by default, new telemetry and doors at agents observe first; off needs a human and is recorded); the vetting layer's switch has a rollback test",
    'the constitution and the deploy gate have no switch (docs/adr/011-what-is-switched.md)',
  ),
  'ID-1': open(
    'One identity model for CLI (OS user and git identity), HTTP tokens with roles (viewer, approver, operator), chat senders and agents; every ledger entry has its actor',
    'the command line, tokens, signatures and agents are there; no chat can reach Hone yet (APP-6)',
  ),
  'OPS-1': open(
    '`hone doctor`: environment, store, clock, disk, permissions, sources, hooks that really enforce, invariants; each finding with its remedy',
  ),
  'DOC-1': open(
    'Emergency manual override ("break glass"), operations runbook, recovery, data contracts, state diagrams (proposal, flag, deployment, cycle), guides for vetting, prioritisation, conflicts, flags, audit',
  ),
  'OBS-1': claimed(
    'Event types `tool_call`, `user_correction`, `task_failure`, `feedback`, `escalation` with their fields, plus `metric`, `test_result`, `trace_span`; strict validation; a bad event is counted and kept aside, never silently dropped',
  ),
  'OBS-2': claimed(
    "Sources: OTLP/HTTP traces, metrics, logs (JSON and protobuf, GenAI and OpenInference attributes, Claude Code, Codex and Gemini events); Claude Code and Codex transcripts (tolerant readers); JSONL; plain log files; container logs; a gateway's JSON audit log; JUnit and Playwright JSON reports; error reports (`reports/errors/*.json`); health-check results; change events of the repository. Readers are tested on files of at least two versions of each tool",
  ),
  'OBS-3': claimed(
    'Missing, empty, truncated, rotated, gzip and huge files are handled; reading resumes where it stopped; nothing is counted twice',
  ),
  'OBS-4': claimed(
    'Sanitiser: keys, bearer tokens, JWTs, private keys, connection strings, e-mail, UUIDs (where configured), internal and external addresses, paths outside the allowlist cut to two components, URLs cut to their domain unless allowed, secret headers; versioned rules, own rules in the configuration, a report of what was replaced; linear time on any input. Marks: `[REDACTED:KEY]`, `Bearer [REDACTED]`, `192.168.x.x`, `[EXTERNAL_IP]`, `[REDACTED:JWT]`, `[REDACTED:EMAIL]`, `[REDACTED:UUID]`, `[REDACTED:API_KEY]` and so on, with an optional keyed suffix so that equal values stay recognisable within one installation; domains allowed by default: api.openai.com, api.anthropic.com, github.com',
  ),
  'OBS-5': claimed(
    'Sanitising happens before anything is stored, shown, logged or sent to a model; a sanitiser failure blocks the event',
  ),
  'OBS-6': claimed(
    '`hone collect --since 24h --output events/YYYY-MM-DD.jsonl`, cleanup after 30 days',
  ),
  'OBS-7': claimed(
    'Windows (24 h default, 14 d at most) and aggregates: counts, rates, percentiles by agent, tool, task, template, variant, layer',
  ),
  'OBS-8': claimed(
    'Triggers: threshold breach, pattern detected, periodic, human request, meta check; validated, queued, de-duplicated, with urgency',
  ),
  'OBS-9': claimed(
    'Observation costs less than 5 % of what it observes, measured; it samples when it would cost more, and says so',
  ),
  'OBS-10': claimed('Long imports show progress, and can be stopped and resumed'),
  'DIAG-1': claimed(
    'Messages are mined into templates online, in one pass, without per-source tuning',
  ),
  'DIAG-2': claimed(
    'Recurring failures: at least 3 occurrences in the window, scored occurrences × impact ÷ noise',
  ),
  'DIAG-3': claimed(
    'Drift and change points in any metric (threshold 0.05), robust to season, outliers and gaps',
  ),
  'DIAG-4': claimed(
    'Correlation between metrics and between failures and attributes (0.7), corrected for many comparisons, with lag',
  ),
  'DIAG-5': claimed(
    'Root layer of a pattern (output, behaviour, workflow, skill or prompt, settings, tool, environment) with evidence per layer, confidence, and the step and agent where it began',
  ),
  'DIAG-6': claimed('Every occurrence and piece of evidence leads back to an event'),
  'DIAG-7': claimed(
    'Known patterns are recognised (similarity 0.8) and shorten the way; on pairs of renamed and of different patterns: recall ≥ .9 at precision ≥ .95',
  ),
  'DIAG-8': claimed('No signals: says so and stops. Conflicting patterns are both kept and marked'),
  'PROP-1': claimed(
    'Types `constant_tune`, `formula_change`, `behavior_fix`, `protocol_update`, `skill_improve`, `meta`; categories bugfix, optimization, enhancement (only from humans or the weekly scan); severity; exactly one type each',
    'the weekly scan suggests and proposes nothing (ADR 107), so enhancements come from people alone',
  ),
  'PROP-2': claimed(
    'Complete or refused: change as a unified diff, rationale, evidence, root cause, risk and mitigation, rollback, affected files, validation plan',
  ),
  'PROP-3': open(
    'Known fixes first, then generators that work without a model (at least one for each of constant_tune, protocol_update, skill_improve, behavior_fix; formula_change may need the evaluation agent, and then says so), then the evaluation agent (a model without tools and with strict output, or a coding-agent command in a throw-away worktree). Several candidates per diagnosis, ranked; the rest kept for when the first fails',
    'no evaluation agent, so that nothing makes a formula_change',
  ),
  'PROP-4': claimed(
    'Only for ≥ 3 occurrences in 24 h, critical severity, or a clear systemic pattern; never features, never forbidden files, never more privileges',
  ),
  'PROP-5': claimed(
    'Markdown at `proposals/YYYY/MM/<id>-<slug>.md` on the branch `hone/proposals`, made without touching the working tree; each status change, review and implementation log is a commit to that file; `index.md` with table and statistics',
  ),
  'PROP-6': claimed(
    'Score = impact × confidence ÷ (risk × complexity), × 1.5 for a proven fix; a fix that failed before is not proposed again for the same pattern',
  ),
  'PROP-7': claimed(
    'Limits, configurable: 4 cycles a day, 20 open proposals, 3 PRs a day, 3 automatic changes in 24 h; the evidence threshold grows with the size of the change; three rejections in a row pause that generator for 48 h, a failed implementation its category for 24 h, an automatic rollback for harm of its own all automatic changes until a human resets it',
  ),
  'PROP-8': claimed(
    'Weekly enhancement scan: unaddressed patterns, flaky schedules, stale indexes (sources newer than the index, or 30 days), prompt drift (hash off its baseline, or an outcome change point after a prompt commit)',
    'schedules are those of Hone; indexes are those that target.indexes names',
  ),
  'PROP-9': claimed('`hone propose` and the MCP tool `propose_improvement` for direct submissions'),
  'VET-1': claimed(
    'Feedback is acknowledged at once and processed in the background; nothing acknowledged is lost',
  ),
  'VET-2': open(
    'Injection, secrets and hidden characters are found: ≥ 90 % of dangerous inputs caught, < 5 % of harmless ones held',
  ),
  'VET-3': open(
    'Quarantine, not rejection: kept, visible, releasable by a human, before and after kept',
  ),
  'VET-4': open(
    'Low-quality feedback is scored and improved (duplicates merged, missing parts asked for or filled from evidence, each filled part citing an event, nothing invented); the score rises on ≥ 80 % of a labelled low-quality set',
  ),
  'VET-5': open(
    'Versioned vetting rubrics; every proposal passes one; each outcome has reasons; ≥ 80 % of feedback gets an outcome, and what passes becomes a proposal or joins one',
  ),
  'VET-6': open(
    'Versioned scoring rubrics (value, alignment, risk, effort, dependency, confidence), normalised, deterministic',
  ),
  'VET-7': open(
    'Planner: theme clusters, duplicates merged with a confidence, ranking that does not move for small changes (top-N ≥ 85 % the same on rerun), its decision explained and deciding what is worked on first; agrees with human review ≥ 70 % where reviews exist',
  ),
  'VET-8': open(
    'Debate: conflicting proposals are found (same lines, opposite directions, exclusive themes), argued, judged by constitution rules that the verdict cites, escalated when confidence is low; the share that escalates is reported against an expected range',
  ),
  'CONST-1': open(
    'The constitution: 11 rules, loaded, versioned, enforced at every step, each with tests that try to break it',
    'of the protected subjects of rule 1, schemas, migrations, protocols and code that authenticates, pays or deletes are not told apart from other files',
  ),
  'VAL-1': claimed(
    'Policy tests on the diff: forbidden paths, privilege escalation in agent definitions, new external URLs, system contract unchanged, new tool endpoints, allowlist growth; symlinks, submodules, hidden and bidirectional characters, CI and hook files. Forbidden by default: `docker-compose.yml`, `.env*`, `SYSTEM_CONTRACT.md`, gateway code and its allowlist, ingestion, provisioning and key-generation code, `hone.yaml`, `policies/`, `.hone/`',
  ),
  'VAL-2': claimed(
    'Syntax and lint-class rules by file type: YAML, JSON (+ schema), TypeScript/JavaScript, Python, shell (shellcheck where present), Markdown links; a checker that is missing makes the verdict inconclusive, never passed',
  ),
  'VAL-3': open(
    "Modes unit test, shadow (replay), canary (10 %), A/B, manual; status passed, failed, inconclusive, awaiting human. Chosen so: constant_tune of low risk → unit, else A/B; formula_change, protocol_update, skill_improve → shadow; behavior_fix → canary; else manual. Durations: shadow 1 h, canary 4 h, A/B 24 h. No replay command: shadow is inconclusive. Canary and A/B touch live traffic, so each needs its own decision bound to digest, share and duration. Routing contract: the target's commands start(share, candidate) and stop, sessions assigned by hash, telemetry carries `variant`; absent: inconclusive",
    'canary and A/B; until then shadow where there is a replay, else manual, but an evaluation may stand in for a shadow',
  ),
  'VAL-4': claimed(
    'Sandbox: no network but the allowlist, read-only mirror plus scratch, limits of time, memory, processes and disk, no secrets or VCS write credentials in the environment, registry allowlist, a profile per language, fixed seeds; where it cannot be made, the verdict is inconclusive',
  ),
  'VAL-5': claimed(
    "Statistics that stay valid when looked at early (significance 0.95); the base side's own flakiness is measured first; too little traffic is inconclusive and extends",
  ),
  'VAL-6': claimed(
    'A change cannot validate itself: edits to tests, gates, policies or evaluators invalidate the evidence they would give',
  ),
  'VAL-7': claimed(
    'Policy pack as a command and a CI action: path lists, diff caps, tests required for source changes, licences, secrets; output text, JSON, SARIF',
  ),
  'VAL-8': open(
    'Contracts ProblemSpec, Plan, ChangeSet, PRSummary, RiskReport: strict, with a repair that is shown, closed on failure',
  ),
  'VAL-9': open('Supply chain: SBOM, known vulnerabilities (offline database), secrets, licences'),
  'VAL-10': open(
    'Migrations, flags and secrets in a diff need a rollback text and a human; changed-lines coverage that never falls; tests required for source changes; tests affected by a change; citations reachable in the code graph',
  ),
  'VAL-11': open(
    'Policy discovery: a dry run that lists what would be touched and which policies would help',
  ),
  'APP-1': claimed(
    'Tiers auto, notify, approve, require. Require is tested first (high risk, formula_change, behavior_fix, meta, inconclusive validation), then auto (low-risk, passed constant_tune that improves the target metric), then notify (low risk, passed), else approve; a protocol_update is never below approve. Auto and notify act as approve until an operator switches them on, by default not before a stable baseline of 7 days (HLTH-4)',
  ),
  'APP-2': claimed(
    'Queue: approve, reject with reason, modify, request changes, escalate, pause, abort; unanswered for 7 days: asked again, louder, never approved; code-owner approval where the repository names owners; merge without a person only when every policy is green',
  ),
  'APP-3': claimed(
    "A decision is bound to the digest of the exact change and its evidence, to a person, and to a time; changed bytes need a new decision; on a moved base it is carried over only under DESIGN's conditions, recorded; replay is refused",
  ),
  'APP-4': claimed(
    "What a person sees is made from the bytes that will be applied, never from the proposer's summary",
  ),
  'APP-5': claimed(
    'Notices: critical at once, high hourly, the rest in a daily digest; none twice; webhook (Standard Webhooks), Slack form, e-mail form, command',
  ),
  'APP-6': open(
    "Chat commands `proposals list | show | approve | reject`, from a signed webhook or `hone chat`, with the sender's right checked",
  ),
  'DEP-1': claimed(
    'Only approved proposals; branch `hone/proposal-<id>`; checked dry run; commit `chore(hone): <title>`; base commit recorded; a base that moved means re-apply and re-validate, and a new decision unless every condition for carrying it over holds',
  ),
  'DEP-2': claimed(
    'Forges: `local` (a branch merged in the target repository) and `github` (PR `[Hone] <title>`, labels, body from the proposal, status of checks, merge noticed by webhook or poll)',
  ),
  'DEP-3': claimed(
    "Backup before, verification after (the bytes, and the target's own verify command where it has one), restored when it fails",
  ),
  'DEP-4': claimed(
    "Deploy hooks from the accepted configuration, chosen by the paths that changed, with timeouts, never from the candidate's bytes; after a rollback too",
  ),
  'DEP-5': open('Staged: canary share, then all, promoted by evidence'),
  'DEP-6': claimed(
    'Invariants V1–V10 checked after every step; V1–V4 stop it, V8 warns, the others alert',
  ),
  'DEP-7': claimed(
    "The actions `write_patch {proposal_id, base_commit, patch_content}`, `validate_branch {branch}`, `open_pr {branch, proposal_id}` over HTTP and MCP, for approved proposals only (a draft PR of a pending one is Hone's own effect), audited",
  ),
  'DEP-8': claimed(
    'Which commit the agents run is checked after a deployment and after a rollback (command, URL or telemetry attribute); a smoke test where configured; the watch starts on arrival',
  ),
  'MON-1': claimed(
    "Baseline of 24 h before; watch 1 h fast and 24 h in all; relative to the baseline and in each metric's bad direction: error rate +25 %, any other watched metric 10 %, beyond noise and a minimum count: roll back",
    'latency, cost, tokens and volume are compared by the hour with two weeks before, and need three days of it: a day does not tell an evening from a change',
  ),
  'MON-2': claimed(
    'Rollback within 5 minutes from the breach to the reverted target branch, by exact revert, verified, told, recorded as a failed fix where the harm was its own; on `github` pushed where allowed, else a revert PR and a critical notice, and the time is reported; killed half-way it finishes on restart; twice is once',
  ),
  'MON-3': claimed(
    'Stable to the end: implemented, told, recorded as proven where it was measured better, as held where it only did no harm',
  ),
  'MON-5': claimed(
    'Harm is looked for everywhere (every agent, tool, task; latency, cost and corrections too) and late (a probation of 14 days), tied to the change that may have done it, and told apart from outages',
    'latency, cost, tokens and volume by the hour, with what two weeks before had; tasks by name where more than one fails',
  ),
  'MON-4': claimed(
    '`hone rollback <id>` by hand, any time, also when others came after it (conflicts are shown, not hidden)',
  ),
  'LRN-1': claimed(
    'Every finished cycle leaves a learning record; proven and failed fixes by pattern; a fix counts as proven knowledge after 3 successes',
  ),
  'LRN-2': open(
    'Insights of the kinds selector_recommendation, retry_strategy, test_tag_change, gate_threshold_suggestion, anti_pattern_detection only; never prompt edits, gate removal or bypass, skill deprecation; with evidence count, confidence, sources, human_verified, pr_url, applied_method, applied_to; verified by a human before they act, applied by PR; accepted share reported (aim > 30 %). This binds insights, not skill_improve proposals',
  ),
  'LRN-3': open(
    'Calibration of confidence, gate effectiveness, selector reliability, flakiness patterns; suggestions for thresholds from operation and for retrospectives, applied by a person',
  ),
  'LRN-4': claimed(
    'A pattern that returns after its fix is diagnosed one layer deeper and escalated',
  ),
  'META-1': claimed(
    'Changes to Hone itself: one cycle a day, highest tier, never triggered by themselves',
    'counted are proposals, by the day in UTC; a configuration that an operator accepts is none',
  ),
  'HLTH-1': open('H1–H10 and M1–M3; `hone status` in a second, as text and JSON'),
  'HLTH-2': open(
    'MTTI (target < 24 h), MTTR, share of human interventions, proposals a week, accepted, rejected and reverted shares, burst then taper; SLOs success ≥ 95 %, loop rate ≤ 2 %, tool MTTR ≤ 30 s, groundedness, spurious-block rate, false-positive gate rate, prompt-drift rate',
  ),
  'HLTH-3': open('Own health worse: automatic steps pause, humans are told; rollback goes on'),
  'HLTH-4': claimed(
    'Nothing automatic before a baseline (7 days by default, 14 at most) is stable; its metrics and verdict are shown',
    'an operator may say, with a reason on record, that a tier decides before that',
  ),
  'PROC-1': claimed(
    'Processes are data: `autopilot` (strategize … monitor, nine phases) and `leo` (lead, plan, exec with gates 0, 1, 2, 2.5, 3, Q); no transition out of order ever succeeds; attempts are counted (phase_skips_attempted, phase_validations_failed, phase_backtracks, prompt_drift_detected, evidence_gate_failed; spans agent.state.transition, agent.verify, process.violation)',
  ),
  'PROC-2': open(
    "Evidence gates: required artifacts exist and their content is right (tests green, build clean, rubric met), recorded by hash; gates 0 to 5 of D as data (onboarding, moderation and policy simulation, reachable citations, change safety, hermetic CI, owners); an independent reviewer's verdict where a process asks for one, with the discrepancy rate",
  ),
  'PROC-3': claimed(
    'Backtracking to the earliest phase concerned; later phases need fresh evidence',
  ),
  'PROC-4': claimed('Leases per task and phase; contention counted'),
  'PROC-5': claimed(
    'Prompt attestation: baseline per task and phase; warning, and error in verify, review, monitor; versioned updates',
  ),
  'PROC-6': claimed(
    'Prompt compiler: core, phase role, domain overlays, skills, rubric, anchors; canonical, hashed, golden tests',
  ),
  'PROC-7': claimed('PersonaSpec: hashed, tool allowlist enforced, variants in telemetry'),
  'PROC-8': claimed(
    'Journal per phase: inputs, reasoning summary, outputs, hashes, links to spans and entries',
  ),
  'PROC-9': claimed(
    'Loops: the same violation three times or 90 minutes without progress: diary and escalation',
  ),
  'PROC-10': open(
    'Session start: stale protocol warned; generated files protected by a pre-commit hook; documents and prompts generated from the store; dependency graph of commands, tables and generators; evidence report that constitution and rate limits hold',
  ),
  'PROC-11': claimed(
    '`hone checkpoint validate`: tests, build, no leftovers, evidence at most 24 h old',
  ),
  'GATE-1': claimed(
    'Tool contracts: input schema, output limit, risk read_only, low, medium, high, blocked; redaction, dangerous combinations; 100 % of tools in use under contract',
    'a tool without a contract is not hidden: each call of it waits for a person, and `hone gateway tools` counts it',
  ),
  'GATE-2': claimed(
    'Escalation ladder: 0 automatic, 1 logged, 2 human, 3 blocked; decisions with reasons; closed on failure; median answer to level 2 under 5 minutes, measured',
  ),
  'GATE-3': open(
    'MCP gateway (stdio, HTTP) with phase guard, persona allowlist, approval in band and out of band, pinned tool definitions; without task context only read-only tools pass',
    'servers over HTTP are not built',
  ),
  'GATE-4': open(
    'Hooks for Claude Code and Codex; a plugin with commands `/status`, `/audit`, `/flags` and skills feedback_quality, vetting_engine, prioritization_planner, self_audit, conflict_resolution, propose_improvement; a registry of sub-agents with trigger words',
    'the hooks are there; the plugin and the registry are not',
  ),
  'EVID-1': open(
    'Playwright fixture and reporter: evidence packs with the manifest, environment snapshot and seed state, redaction, retention, replay, network mocks; a manifest on > 95 % of gate 2.5 passes, > 90 % of script errors caught, any failure reproduced in < 10 minutes',
  ),
  'EVID-2': open(
    'Flakiness score per test over runs, quarantine above 5 %, quarantined tests keep running, and the trend of flakiness is reported',
  ),
  'CHK-1': claimed(
    'Claims checked: file (L1), symbol (L2), signature (L3), table, snippet parses; > 80 % caught, < 5 % false',
  ),
  'CHK-2': claimed(
    'Sub-agent runs recorded; results by file, not by scraping output; retry with clarification, then escalation',
  ),
  'FLAG-1': open(
    'Flags: registry, evaluation (OpenFeature, OFREP), lifecycle, owner, expiry, approval, kill switch, audit',
  ),
  'AUD-1': open(
    'Self-audit: checklists per kind of work, scheduled with a configured scope, findings into feedback, nothing fixed by itself, < 10 % false',
  ),
  'UI-1': open(
    'Dashboard: queue and decision page, trace graph, evidence browser, metrics, ledger, flags',
  ),
  'RED-1': open(
    'Red-team and chaos suite: injection, poisoned dependencies and memory, tasks split to hide intent, tokens without audience, flaky tests, broken network; it halts or asks',
  ),
  'GRAPH-1': open('Code graph: change impact, tests to run, quality vectors as hints'),
  'ONB-1': open('Drop-in: any repository, any language, profile per repository'),
};
