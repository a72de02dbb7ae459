/**
 * The command line. This file says what commands there are; each command's code is loaded when it is
 * called, so that a small command starts fast.
 */
import { Command, CommanderError, Option } from 'commander';
import { EFFECT_STATES, PROPOSAL_STATES } from '../facts/at-start.ts';
import { VERSION } from '../version.ts';
import { brokenOutputExit } from './broken-output.ts';
import {
  type Action,
  branch,
  countingNumber,
  leaf,
  oneOf,
  portNumber,
  type Wrap,
  wholeNumber,
} from './command-parts.ts';
import type { Context } from './context.ts';
import { layOutHelp } from './help.ts';
import { type Io, processIo } from './io.ts';
import { withCleanReason } from './recorded-reason.ts';
import { reportError, sayError } from './report-error.ts';
import { addCheckpoint, addClaim, addEvidence, addTask } from './task-commands.ts';
import {
  addCollect,
  addEvents,
  addIngest,
  addLook,
  addSanitize,
  addSources,
  addTraces,
} from './telemetry-commands.ts';

const ROLES = ['viewer', 'approver', 'operator'] as const;
const MODES = ['off', 'observe', 'enforce'] as const;
const URGENCIES = ['high', 'normal', 'low'] as const;
const CATEGORIES = ['bugfix', 'optimization', 'enhancement'] as const;
const OUTCOMES = ['delivered', 'retry', 'dropped'] as const;

type MakeContext = (json: boolean) => Context;

/** Runs the command that `argv` names; gives the exit code. */
export async function runCli(argv: readonly string[], makeContext: MakeContext): Promise<number> {
  let exit = 0;
  let used: Context | undefined;
  const make: MakeContext = (json) => {
    used = makeContext(json);
    return used;
  };
  const program = buildProgram(argv[0], make, (code) => {
    exit = code;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    const io = () => used?.io ?? ioOf(makeContext, argv.includes('--json'));
    if (error instanceof CommanderError) return usageExit(error, io);
    const broken = brokenOutputExit(error);
    if (broken !== undefined) return broken;
    const { errorCleaner } = await import('../app/clean-words.ts');
    return reportError(error, io(), await errorCleaner());
  }
  return exit;
}

/** Commander's words in the shape of every other error: `error: unknown option '--x'`, then a suggestion in brackets. */
function usageExit(error: CommanderError, io: () => Io): number {
  if (error.exitCode === 0) return 0;
  // Help that nobody asked for has been written.
  if (error.code === 'commander.help') return 2;
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`;
  const message = /[.?!]$/.test(sentence) ? sentence : `${sentence}.`;
  const hint = rest.join(' ').replace(/^\(|\)$/g, '');
  sayError(io(), { code: 'usage', message, hint: hint === '' ? null : hint });
  return 2;
}

/** `first`: the word that names the command; without it, all commands are built. */
export function buildProgram(
  first: string | undefined,
  makeContext: MakeContext,
  done: (exit: number) => void,
): Command {
  const program = new Command('hone');
  program
    .description('Turns what goes wrong in AI agents into small, proven, reversible changes.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError(true)
    .exitOverride();
  layOutHelp(program, () => ioOf(makeContext, false));

  /** A command whose code is loaded when it runs. */
  const action =
    (load: () => Promise<Action>) =>
    async (...given: unknown[]): Promise<void> => {
      const command = given.at(-1) as Command;
      const options = command.opts<{ json?: boolean }>();
      const context = makeContext(options.json === true);
      const run = (await load()) as (context: Context, ...rest: unknown[]) => Promise<number>;
      const cleaned = await withCleanReason(given.at(-2), context.io);
      done(await run(context, ...given.slice(0, -2), cleaned));
    };

  // Only the requested command is built; help and unknown commands need all of them.
  const asked = COMMANDS.filter(({ name }) => name === first);
  let group = '';
  for (const command of asked.length === 0 ? COMMANDS : asked) {
    if (command.group !== group) program.commandsGroup(`${command.group}:`);
    group = command.group;
    command.add(program, action);
  }
  return program;
}

interface CommandEntry {
  readonly name: string;
  readonly group: string;
  readonly add: (program: Command, action: Wrap) => void;
}

const COMMANDS: readonly CommandEntry[] = [
  { name: 'look', group: 'Start', add: addLook },
  { name: 'init', group: 'Start', add: addInit },
  { name: 'up', group: 'Start', add: addUp },
  { name: 'open', group: 'Start', add: addOpen },
  { name: 'status', group: 'Start', add: addStatus },
  { name: 'cycle', group: 'Start', add: addCycle },
  { name: 'demo', group: 'Start', add: addDemo },
  { name: 'proposals', group: 'Decide', add: addProposals },
  { name: 'patterns', group: 'Decide', add: addPatterns },
  { name: 'changes', group: 'Decide', add: addChanges },
  { name: 'watch', group: 'Decide', add: addWatch },
  { name: 'approve', group: 'Decide', add: addApprove },
  { name: 'reject', group: 'Decide', add: addReject },
  { name: 'asks', group: 'Decide', add: addAsks },
  { name: 'propose', group: 'Decide', add: addPropose },
  { name: 'feedback', group: 'Decide', add: addFeedback },
  { name: 'rollback', group: 'Decide', add: addRollback },
  { name: 'settle', group: 'Decide', add: addSettle },
  { name: 'config', group: 'Decide', add: addConfig },
  { name: 'stop-all', group: 'Decide', add: addStop },
  { name: 'resume', group: 'Decide', add: addResume },
  { name: 'switch', group: 'Decide', add: addSwitches },
  { name: 'tiers', group: 'Decide', add: addTiers },
  { name: 'token', group: 'Decide', add: addTokens },
  { name: 'diagnose', group: 'Look', add: addDiagnose },
  { name: 'policy', group: 'Look', add: addPolicy },
  { name: 'health', group: 'Look', add: addHealth },
  { name: 'doctor', group: 'Look', add: addDoctor },
  { name: 'ledger', group: 'Look', add: addLedger },
  { name: 'outbox', group: 'Look', add: addOutbox },
  { name: 'schedule', group: 'Look', add: addSchedule },
  { name: 'trigger', group: 'Look', add: addTrigger },
  { name: 'task', group: 'Agents at work', add: addTask },
  { name: 'evidence', group: 'Agents at work', add: addEvidence },
  { name: 'claim', group: 'Agents at work', add: addClaim },
  { name: 'checkpoint', group: 'Agents at work', add: addCheckpoint },
  { name: 'gateway', group: 'Agents at work', add: addGateway },
  { name: 'mcp', group: 'Agents at work', add: addMcp },
  { name: 'hooks', group: 'Agents at work', add: addHooks },
  { name: 'hook', group: 'Agents at work', add: addHook },
  { name: 'sources', group: 'Telemetry', add: addSources },
  { name: 'ingest', group: 'Telemetry', add: addIngest },
  { name: 'collect', group: 'Telemetry', add: addCollect },
  { name: 'events', group: 'Telemetry', add: addEvents },
  { name: 'traces', group: 'Telemetry', add: addTraces },
  { name: 'sanitize', group: 'Telemetry', add: addSanitize },
  { name: 'retention', group: 'Keep', add: addRetention },
  { name: 'backup', group: 'Keep', add: addBackup },
  { name: 'restore', group: 'Keep', add: addRestore },
];

/** There is one even if no context can be made, such as in a folder that was removed. */
function ioOf(makeContext: MakeContext, json: boolean): Io {
  try {
    return makeContext(json).io;
  } catch {
    return processIo(json);
  }
}

function addConfig(program: Command, action: Wrap): void {
  const config = branch(program, 'config', 'show, check and accept the configuration');
  leaf(config, 'show', 'show what is in effect and what accepting would change')
    .option('--all', 'also show keys at their default')
    .action(action(async () => (await import('./commands/config.ts')).configShow));
  leaf(config, 'check', 'list every mistake in hone.yaml').action(
    action(async () => (await import('./commands/config.ts')).configCheck),
  );
  leaf(config, 'accept', 'put the edited hone.yaml into effect')
    .option('--digest <digest>', 'of what you saw; 12 characters are enough')
    .action(action(async () => (await import('./commands/config-accept.ts')).configAccept));
}

function addPolicy(program: Command, action: Wrap): void {
  const policy = branch(program, 'policy', 'check changes by the policy tests, in any CI');
  leaf(policy, 'check', 'check a patch, a range of commits, or what is staged')
    .option('--diff <file>', 'a patch on HEAD; - reads standard input')
    .option('--range <range>', 'the commits base..head')
    .option('--staged', 'what is staged')
    .option('--strict', 'refuse what a person would be asked about, too')
    .addOption(
      new Option('--format <format>', 'how findings are printed')
        .choices(['text', 'json', 'sarif'])
        .default('text'),
    )
    .action(action(async () => (await import('./commands/policy.ts')).policyCheck));
}

function addInit(program: Command, action: Wrap): void {
  leaf(program, 'init', 'set Hone up for this repository; safe to repeat')
    .option('--take-over', 'take charge of it from another installation', false)
    .option('--source <path>', 'connect this telemetry, as "hone sources add" does')
    .action(action(async () => (await import('./commands/init.ts')).init));
}

function addUp(program: Command, action: Wrap): void {
  leaf(program, 'up', 'start the server and its workers')
    .option('--port <number>', 'listen on this port instead; 0 picks a free one', portNumber)
    .addOption(
      new Option(
        '--print-unit <manager>',
        'print a service definition that keeps it running, and start nothing',
      ).choices(['systemd', 'launchd']),
    )
    .action(action(async () => (await import('./commands/up.ts')).up));
}

function addOpen(program: Command, action: Wrap): void {
  leaf(program, 'open', 'open the dashboard of the running server')
    .option('--print', 'only print the address, which works once and for a minute', false)
    .action(action(async () => (await import('./commands/open.ts')).open));
}

function addStatus(program: Command, action: Wrap): void {
  leaf(program, 'status', 'show how things stand').action(
    action(async () => (await import('./commands/status.ts')).status),
  );
}

function addCycle(program: Command, action: Wrap): void {
  leaf(program, 'cycle', 'look once for recurring failures, and propose fixes').action(
    action(async () => (await import('./commands/cycle.ts')).cycle),
  );
}

function addHealth(program: Command, action: Wrap): void {
  leaf(program, 'health', 'show how Hone has done: answers, rollbacks, how sure it was')
    .option('--days <number>', 'of this many days', countingNumber, 90)
    .action(action(async () => (await import('./commands/health.ts')).health));
}

function addDemo(program: Command, action: Wrap): void {
  leaf(program, 'demo', 'show the whole story in a repository made for it')
    .option('--once', 'do not wait for a key between the acts', false)
    .option('--seed <number>', 'seed of the random numbers', wholeNumber, 1)
    .action(action(async () => (await import('./commands/demo.ts')).demo));
}

function addProposals(program: Command, action: Wrap): void {
  const proposals = branch(program, 'proposals', 'changes that were proposed');
  leaf(proposals, 'list', 'list proposals, the newest first')
    .addOption(new Option('--state <state>', 'only those').choices(PROPOSAL_STATES))
    .option('--limit <number>', 'show at most this many', countingNumber, 20)
    .action(action(async () => (await import('./commands/proposals.ts')).proposalsList));
  leaf(proposals, 'show', 'show one: why, the proof, the exact change, what happened')
    .argument('<id>', 'its id, or a unique prefix of it')
    .action(action(async () => (await import('./commands/proposals.ts')).proposalsShow));
  leaf(proposals, 'diff', 'print the change; secrets in it are masked')
    .argument('<id>', 'its id, or a unique prefix of it')
    .action(action(async () => (await import('./commands/proposals.ts')).proposalsDiff));
  leaf(proposals, 'modify', 'put an edited diff in its place; it is validated and decided anew')
    .argument('<id>', 'its id, or a unique prefix of it')
    .requiredOption('--diff <file>', 'a unified diff on its base commit; - reads standard input')
    .requiredOption('--digest <digest>', 'of what you saw, from "hone proposals show"')
    .option('--title <text>', 'what it is called from now on')
    .requiredOption('--reason <text>', 'why, for the record')
    .action(action(async () => (await import('./commands/decide.ts')).modify));
  const because = [
    ['request-changes', 'hold one until it is edited or you approve it', 'requestChanges'],
    ['escalate', 'raise one to the highest tier, and tell every operator', 'escalate'],
    ['pause', 'keep one where it is', 'pause'],
    ['resume', 'let a paused one go on', 'resume'],
    ['abort', 'give one up that is not deployed yet', 'abort'],
  ] as const;
  for (const [name, about, verb] of because)
    leaf(proposals, name, about)
      .argument('<id>', 'its id, or a unique prefix of it')
      .requiredOption('--reason <text>', 'why, for the record')
      .action(action(async () => (await import('./commands/decide.ts'))[verb]));
  leaf(proposals, 'release', 'let one out of quarantine; only a person can')
    .argument('<id>', 'its id, or a unique prefix of it')
    .requiredOption('--reason <text>', 'why, for the record')
    .action(action(async () => (await import('./commands/decide.ts')).release));
}

function addPatterns(program: Command, action: Wrap): void {
  const patterns = branch(program, 'patterns', 'failures that recur');
  leaf(patterns, 'list', 'list patterns and what became of each, the newest first')
    .option('--limit <number>', 'show at most this many', countingNumber, 20)
    .action(action(async () => (await import('./commands/patterns.ts')).patternsList));
  leaf(patterns, 'show', 'show one: every cause considered, and what would settle it')
    .argument('<id>', 'its id, or a unique prefix of it')
    .action(action(async () => (await import('./commands/patterns.ts')).patternsShow));
  leaf(patterns, 'ignore', 'say and propose nothing more for one')
    .argument('<id>', 'its id, or a unique prefix of it')
    .requiredOption('--reason <text>', 'why, for the record')
    .action(action(async () => (await import('./commands/patterns.ts')).patternsIgnore));
  leaf(patterns, 'merge', 'say that one is the same failure as another at its place')
    .argument('<id>', 'its id, or a unique prefix of it')
    .requiredOption('--into <id>', 'the one that it counts for from now on')
    .requiredOption('--reason <text>', 'why, for the record')
    .action(action(async () => (await import('./commands/patterns.ts')).patternsMerge));
  leaf(patterns, 'forget', 'forget one, and the wish to ignore or merge it')
    .argument('<id>', 'its id, or a unique prefix of it')
    .requiredOption('--reason <text>', 'why, for the record')
    .action(action(async () => (await import('./commands/patterns.ts')).patternsForget));
}

function addDiagnose(program: Command, action: Wrap): void {
  leaf(program, 'diagnose', 'show what recurs now and why; nothing is kept or proposed').action(
    action(async () => (await import('./commands/patterns.ts')).diagnose),
  );
}

function addChanges(program: Command, action: Wrap): void {
  const changes = branch(program, 'changes', 'changes that reached the target');
  leaf(changes, 'list', 'list them, the newest first, with how each is watched and remembered')
    .option('--limit <number>', 'show at most this many', countingNumber, 20)
    .action(action(async () => (await import('./commands/changes.ts')).changesList));
  leaf(changes, 'show', 'show one: what came of it after a day, a week, two weeks')
    .argument('<id>', 'its id, or a unique prefix of it')
    .action(action(async () => (await import('./commands/changes.ts')).changesShow));
}

function addWatch(program: Command, action: Wrap): void {
  const watch = branch(program, 'watch', 'how near the watch of a change is to an alarm; end it');
  leaf(watch, 'show', 'show how near it is to an alarm, and until when', { isDefault: true })
    .argument('<id>', 'its id, or a unique prefix of it')
    .action(action(async () => (await import('./commands/changes.ts')).watch));
  leaf(watch, 'close', 'end it, close or on probation; the change stays, not judged')
    .argument('<id>', 'its id, or a unique prefix of it')
    .requiredOption('--reason <text>', 'why, for the record')
    .action(action(async () => (await import('./commands/decide.ts')).closeWatch));
}

function addApprove(program: Command, action: Wrap): void {
  leaf(program, 'approve', 'approve a change or a call; HONE_TOKEN proves who you are')
    .argument('<id>', 'its id, or a unique prefix of it')
    .requiredOption('--digest <digest>', 'of what you saw, from "show"')
    .option('--reason <text>', 'why, for the record', '')
    .option('--sign [key]', 'sign it with an SSH key, or with the one that git signs with')
    .action(action(async () => (await import('./commands/decide.ts')).approve));
}

function addReject(program: Command, action: Wrap): void {
  leaf(program, 'reject', 'refuse a proposed change, or a call that waits')
    .argument('<id>', 'its id, or a unique prefix of it')
    .requiredOption('--reason <text>', 'why, for the record')
    .action(action(async () => (await import('./commands/decide.ts')).reject));
}

function addAsks(program: Command, action: Wrap): void {
  const asks = branch(program, 'asks', 'calls of tools that wait for a person');
  leaf(asks, 'list', 'list them, the newest first')
    .option('--all', 'also those that were answered or are over')
    .option('--limit <number>', 'show at most this many', countingNumber, 20)
    .action(action(async () => (await import('./commands/asks.ts')).asksList));
  leaf(asks, 'show', 'show one: the call, why it waits, the commands that answer it')
    .argument('<id>', 'its id, or a unique prefix of it')
    .action(action(async () => (await import('./commands/asks.ts')).asksShow));
}

function addGateway(program: Command, action: Wrap): void {
  const gateway = branch(program, 'gateway', 'definitions of tools that the gateway has seen');
  leaf(gateway, 'tools', 'list them, and which changed').action(
    action(async () => (await import('./commands/asks.ts')).gatewayTools),
  );
  leaf(gateway, 'show', 'show the definition of one, and a changed one that is offered')
    .argument('<tool>', 'server/tool')
    .action(action(async () => (await import('./commands/asks.ts')).gatewayShow));
  leaf(gateway, 'accept', 'accept the changed definition of one; needs an operator')
    .argument('<tool>', 'server/tool')
    .requiredOption('--digest <digest>', 'of the definition that you saw')
    .requiredOption('--reason <text>', 'why, for the record')
    .action(action(async () => (await import('./commands/asks.ts')).gatewayAccept));
}

function addPropose(program: Command, action: Wrap): void {
  leaf(program, 'propose', 'propose a change of your own, as a unified diff')
    .requiredOption('--diff <file>', 'on the head of the target branch; - reads standard input')
    .requiredOption('--title <text>', 'one line: what it does')
    .requiredOption('--rationale <text>', 'what goes wrong, and why this helps')
    .option('--pattern <id>', 'the pattern that it answers; agents need one')
    .option('--evidence <event...>', 'ids of events that show what goes wrong')
    .addOption(
      new Option('--category <category>', 'what it is').choices([...CATEGORIES]).default('bugfix'),
    )
    .action(action(async () => (await import('./commands/propose.ts')).propose));
}

function addFeedback(program: Command, action: Wrap): void {
  const feedback = branch(program, 'feedback', 'what agents say went wrong or could be better');
  leaf(feedback, 'list', 'list it, the newest first')
    .option('--limit <number>', 'show at most this many', countingNumber, 20)
    .action(action(async () => (await import('./commands/propose.ts')).feedbackList));
}

function addMcp(program: Command, action: Wrap): void {
  const mcp = branch(program, 'mcp', 'Hone’s tools for agents; judge calls of other MCP servers');
  leaf(mcp, 'serve', 'offer Hone’s tools to an agent on standard input and output', {
    isDefault: true,
  })
    .option('--agent <name>', 'what to call the agent; the user of the machine unless given')
    .action(action(async () => (await import('./commands/mcp.ts')).mcpServe));
  leaf(mcp, 'gateway', 'start an MCP server and judge every call before it gets it')
    .argument('<command...>', 'the command that starts the server, after --')
    .option('--name <name>', 'what contracts call the server; the command’s name unless given')
    .option('--session <id>', 'the client’s session; without it, it counts as any')
    .option('--task <id>', 'the task that the agent works on')
    .action(action(async () => (await import('./commands/mcp.ts')).mcpGateway));
}

function addHooks(program: Command, action: Wrap): void {
  const hooks = branch(program, 'hooks', 'ask Hone before Claude Code or Codex calls a tool');
  leaf(hooks, 'install', 'show what would be added to a client’s settings; --write adds it')
    .argument('<client>', 'claude-code or codex', oneOf(['claude-code', 'codex']))
    .option('--write', 'write it')
    .action(action(async () => (await import('./commands/hooks.ts')).hooksInstall));
  leaf(hooks, 'off', 'take them out of all settings; always works, and is recorded')
    .requiredOption('--reason <text>', 'why, for the record')
    .action(action(async () => (await import('./commands/hooks.ts')).hooksRemove));
  leaf(hooks, 'probe', 'run what is installed with calls that must be denied').action(
    action(async () => (await import('./commands/hooks.ts')).hooksProbe),
  );
}

/** Run by the client; `main.ts` starts it without this file. */
function addHook(program: Command): void {
  leaf(
    program,
    'hook',
    'what a client’s hook runs: reads an event, refuses with exit code 2',
  ).argument('<client>', 'claude-code or codex');
}

function addRollback(program: Command, action: Wrap): void {
  leaf(program, 'rollback', 'take a deployed change back, at any time')
    .argument('<id>', 'its id, or a unique prefix of it')
    .option('--reason <text>', 'why, for the record', 'rolled back by hand')
    .action(action(async () => (await import('./commands/decide.ts')).rollback));
}

function addSettle(program: Command, action: Wrap): void {
  leaf(program, 'settle', 'say that you dealt with a change Hone could not take back')
    .argument('<id>', 'its id, or a unique prefix of it')
    .option('--kept', 'it stays; needs a token')
    .option('--reverted', 'you took it back; needs a token unless the branch shows it')
    .requiredOption('--reason <text>', 'why, for the record')
    .action(action(async () => (await import('./commands/decide.ts')).settle));
}

function addSchedule(program: Command, action: Wrap): void {
  const schedule = branch(program, 'schedule', 'work that runs at set times');
  leaf(schedule, 'list', 'list schedules, when they run next and how they went').action(
    action(async () => (await import('./commands/schedule.ts')).scheduleList),
  );
}

function addTrigger(program: Command, action: Wrap): void {
  const trigger = branch(program, 'trigger', 'what asks for a cycle');
  leaf(trigger, 'list', 'list what waits, and what a cycle took').action(
    action(async () => (await import('./commands/trigger.ts')).triggerList),
  );
  leaf(trigger, 'request', 'ask for a cycle; "hone up" begins it')
    .requiredOption('--reason <text>', 'what should be looked at')
    .addOption(new Option('--urgency <urgency>', 'how soon').choices(URGENCIES).default('high'))
    .action(action(async () => (await import('./commands/trigger.ts')).triggerRequest));
}

function addRetention(program: Command, action: Wrap): void {
  const retention = branch(program, 'retention', 'how long telemetry is kept');
  leaf(retention, 'show', 'show what is kept and what would be deleted now').action(
    action(async () => (await import('./commands/retention.ts')).retentionShow),
  );
  leaf(retention, 'run', 'delete what is older than it is kept, as the schedule does').action(
    action(async () => (await import('./commands/retention.ts')).retentionRun),
  );
}

function addDoctor(program: Command, action: Wrap): void {
  leaf(program, 'doctor', 'check everything Hone depends on, and say what to do').action(
    action(async () => (await import('./commands/doctor.ts')).doctor),
  );
}

function addBackup(program: Command, action: Wrap): void {
  leaf(program, 'backup', 'write all of this installation to one file, while it runs')
    .option('--output <path>', 'write to this new file, or into this folder')
    .option('--with-key', 'include the key that signs the ledger', false)
    .action(action(async () => (await import('./commands/backup.ts')).backup));
}

function addRestore(program: Command, action: Wrap): void {
  leaf(program, 'restore', 'put a backup in place; everything is stopped afterwards')
    .argument('<file>', 'what "hone backup" wrote')
    .option('--replace', 'replace the installation here; it is kept beside', false)
    .action(action(async () => (await import('./commands/restore.ts')).restore));
}

function addStop(program: Command, action: Wrap): void {
  leaf(program, 'stop-all', 'stop everything automatic at once; watching goes on')
    .option('--reason <text>', 'why, for the record', 'stopped by hand')
    .action(action(async () => (await import('./commands/stop.ts')).stopAll));
}

function addResume(program: Command, action: Wrap): void {
  leaf(program, 'resume', 'lift the stop; only a person can')
    .option('--reason <text>', 'why, for the record', 'resumed by hand')
    .action(action(async () => (await import('./commands/stop.ts')).resume));
}

function addSwitches(program: Command, action: Wrap): void {
  const switches = branch(program, 'switch', "show and set the modes of Hone's gates");
  leaf(switches, 'list', 'list the gates and their modes').action(
    action(async () => (await import('./commands/switch.ts')).switchList),
  );
  leaf(switches, 'set', "set a gate's mode; weakening one needs an operator")
    .argument('<gate>')
    .argument('<mode>', MODES.join(', '), oneOf(MODES))
    .option('--reason <text>', 'why, for the record', 'set by hand')
    .action(action(async () => (await import('./commands/switch.ts')).switchSet));
}

function addTiers(program: Command, action: Wrap): void {
  const tiers = branch(program, 'tiers', 'show and set which tiers decide without a person');
  leaf(tiers, 'list', 'list the tiers, the limit of a day and the baseline').action(
    action(async () => (await import('./commands/tiers.ts')).tiersList),
  );
  leaf(tiers, 'on', 'let Hone decide at a tier by itself (operators only)')
    .argument('<tier>', 'auto or notify')
    .requiredOption('--reason <text>', 'why, for the record')
    .option('--even-unstable', 'also where the baseline is not stable')
    .action(action(async () => (await import('./commands/tiers.ts')).tiersOn));
  leaf(tiers, 'off', 'ask a person again at a tier')
    .argument('<tier>', 'auto or notify')
    .option('--reason <text>', 'why, for the record', 'set by hand')
    .action(action(async () => (await import('./commands/tiers.ts')).tiersOff));
  leaf(tiers, 'reset', 'end the pause after a rollback (operators only)')
    .requiredOption('--reason <text>', 'why, for the record')
    .action(action(async () => (await import('./commands/tiers.ts')).tiersReset));
}

function addTokens(program: Command, action: Wrap): void {
  const token = branch(program, 'token', 'manage tokens for HTTP and for decisions');
  leaf(token, 'add', 'create a token (operators only); its secret is shown once')
    .argument('<name>')
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).default('viewer'))
    .action(action(async () => (await import('./commands/token.ts')).tokenAdd));
  leaf(token, 'list', 'list tokens').action(
    action(async () => (await import('./commands/token.ts')).tokenList),
  );
  leaf(token, 'revoke', 'revoke a token; needs an operator, or the token itself')
    .argument('<name>')
    .action(action(async () => (await import('./commands/token.ts')).tokenRevoke));
  leaf(token, 'reset', 'replace every operator’s token when all are lost')
    .argument('<name>', 'name of the new token')
    .requiredOption('--reason <text>', 'why, for the record; everybody is told')
    .action(action(async () => (await import('./commands/token.ts')).tokenReset));
}

function addLedger(program: Command, action: Wrap): void {
  const ledger = branch(program, 'ledger', 'the append-only record of every change');
  leaf(ledger, 'show', 'show entries, the newest last')
    .option('--subject <subject>', 'only entries about it, such as proposal:p_…')
    .option('--from <index>', 'from this entry on', wholeNumber)
    .option('--limit <number>', 'show at most this many', countingNumber, 20)
    .action(action(async () => (await import('./commands/ledger.ts')).ledgerShow));
  leaf(ledger, 'verify', 'check every entry; exit 1 and name the first that was changed')
    .option('--against <file>', 'also check against checkpoints kept elsewhere')
    .option('--key <verifier>', 'trust this public key, not the one beside the ledger')
    .action(action(async () => (await import('./commands/ledger-verify.ts')).ledgerVerify));
  leaf(ledger, 'rebuild', 'compare the tables with the ledger they come from; exit 1 if any differ')
    .addOption(new Option('--write', 'correct the rows that differ; needs an operator'))
    .addOption(new Option('--dry-run', 'only compare, as without --write').conflicts('write'))
    .option('--reason <text>', 'why, for the record', 'rebuilt by hand')
    .action(action(async () => (await import('./commands/ledger-rebuild.ts')).ledgerRebuild));
  leaf(ledger, 'checkpoint', 'print a signed checkpoint to keep elsewhere').action(
    action(async () => (await import('./commands/ledger.ts')).ledgerCheckpoint),
  );
  leaf(ledger, 'prove', 'prove that an entry is in the ledger')
    .argument('<index>', 'the entry; with --consistency, the smaller size', wholeNumber)
    .option('--size <number>', 'in the ledger of this size', wholeNumber)
    .option('--consistency', 'prove that the larger ledger extends the smaller', false)
    .action(action(async () => (await import('./commands/ledger.ts')).ledgerProve));
  leaf(ledger, 'export', 'write every entry, one JSON document per line')
    .option('--output <file>', 'write to this new file, not to standard output')
    .action(action(async () => (await import('./commands/ledger-export.ts')).ledgerExport));
}

function addOutbox(program: Command, action: Wrap): void {
  const outbox = branch(program, 'outbox', 'effects outside Hone, and those that need a person');
  leaf(outbox, 'list', 'list effects, the newest first')
    .addOption(new Option('--state <state>', 'only those').choices(EFFECT_STATES))
    .option('--limit <number>', 'show at most this many', countingNumber, 20)
    .action(action(async () => (await import('./commands/outbox.ts')).outboxList));
  leaf(outbox, 'show', 'show one effect')
    .argument('<key>')
    .action(action(async () => (await import('./commands/outbox.ts')).outboxShow));
  leaf(outbox, 'settle', 'say what became of a dead or uncertain effect')
    .argument('<key>')
    .argument('<outcome>', OUTCOMES.join(', '), oneOf(OUTCOMES))
    .action(action(async () => (await import('./commands/outbox.ts')).outboxSettle));
}
