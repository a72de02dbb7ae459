/** The commands that govern agents at work. */
import { type Command, Option } from 'commander';
import { branch, countingNumber, leaf, type Wrap } from './command-parts.ts';

const ID = 'its id, or a unique prefix of it';
const worker = ['--worker <name>', 'who works on it; you, if absent'] as const;
const commit = ['--commit <commit>', 'what it is about; what is checked out, if absent'] as const;
const KINDS = ['tests', 'build', 'coverage', 'diff', 'rubric', 'document'];

export function addTask(program: Command, action: Wrap): void {
  const task = branch(program, 'task', 'tasks of agents, phase by phase');
  const load = () => import('./commands/task.ts');
  leaf(task, 'start', 'begin a task in the first phase of a process')
    .argument('<title>', 'what it is about')
    .option('--process <name>', 'autopilot, leo, or one of your own', 'autopilot')
    .option('--session <id>', 'the session of the client that works on it')
    .option('--persona <name>', 'who the agent is: one of prompt.personas')
    .option(...worker)
    .option(...commit)
    .action(action(async () => (await load()).taskStart));
  leaf(task, 'list', 'list tasks, the newest first')
    .addOption(new Option('--state <state>', 'only those').choices(['open', 'done']))
    .option('--limit <number>', 'show at most this many', countingNumber, 20)
    .action(action(async () => (await load()).taskList));
  leaf(task, 'show', 'show one: its phases, its evidence, what is missing')
    .argument('<id>', ID)
    .action(action(async () => (await load()).taskShow));
  leaf(task, 'prompt', 'what its agent is told in the present phase, compiled from parts')
    .argument('<id>', ID)
    .action(action(async () => (await load()).taskPrompt));
  leaf(task, 'advance', 'go to the next phase, if the gate opens')
    .argument('<id>', ID)
    .option('--to <phase>', 'which has to be the next one')
    .option('--summary <text>', 'what was done and why, for the journal', '')
    .option(...worker)
    .option(...commit)
    .action(action(async () => (await load()).taskAdvance));
  leaf(task, 'back', 'go back to an earlier phase; later evidence becomes stale')
    .argument('<id>', ID)
    .requiredOption('--to <phase>', 'the earliest one that is concerned')
    .requiredOption('--reason <text>', 'why, for the record')
    .option(...worker)
    .action(action(async () => (await load()).taskBack));
  leaf(task, 'bind', 'say which session of a client works on a task')
    .argument('<id>', ID)
    .requiredOption('--session <id>', 'as the client calls it')
    .option(...worker)
    .action(action(async () => (await load()).taskBind));
  leaf(task, 'release', 'let a task go on about which a person was asked')
    .argument('<id>', ID)
    .requiredOption('--reason <text>', 'why, for the record')
    .action(action(async () => (await load()).taskRelease));
  leaf(task, 'accept-prompts', 'accept instruction files that changed; only a person can')
    .argument('<id>', ID)
    .requiredOption('--reason <text>', 'why, for the record')
    .action(action(async () => (await load()).taskAcceptPrompts));
  leaf(task, 'pull-request', 'write its pull request from the evidence')
    .argument('<id>', ID)
    .option(...worker)
    .action(action(async () => (await load()).taskPullRequest));
}

export function addEvidence(program: Command, action: Wrap): void {
  const evidence = branch(program, 'evidence', 'what proves that tasks and changes are right');
  const load = () => import('./commands/evidence.ts');
  leaf(evidence, 'run', 'let Hone run it at the task’s commit, in the sandbox')
    .argument('<task>', ID)
    .addOption(
      new Option('--kind <kind>', 'all that the phase asks for, if absent').choices(
        KINDS.slice(0, 4),
      ),
    )
    .option(...worker)
    .option(...commit)
    .action(action(async () => (await load()).evidenceRun));
  leaf(evidence, 'add', 'hand a file in; it counts as a claim')
    .argument('<task>', ID)
    .argument('<file>', 'a text file')
    .addOption(new Option('--kind <kind>', 'what it is').choices(KINDS).makeOptionMandatory())
    .option(...worker)
    .option(...commit)
    .action(action(async () => (await load()).evidenceAdd));
  leaf(evidence, 'show', 'show a piece of evidence, of a task or a validation')
    .argument('<id>', 'from "hone task show" or "hone proposals show"')
    .action(action(async () => (await load()).evidenceShow));
  leaf(evidence, 'verify', 'read every byte of it again, and judge it again')
    .argument('<id>', 'from "hone task show" or "hone proposals show"')
    .action(action(async () => (await load()).evidenceVerify));
}

export function addCheckpoint(program: Command, action: Wrap): void {
  const checkpoint = branch(program, 'checkpoint', 'whether a task may call itself done');
  leaf(checkpoint, 'validate', 'check tests, build, leftovers, and the age of the evidence')
    .argument('<task>', ID)
    .action(action(async () => (await import('./commands/evidence.ts')).checkpointValidate));
}

export function addClaim(program: Command, action: Wrap): void {
  const claim = branch(program, 'claim', 'what agents say about the code');
  leaf(claim, 'check', 'check files, symbols, signatures, tables and snippets it names')
    .argument('<task>', ID)
    .argument('<file>', 'a text or a result file; - reads standard input')
    .option('--agent <name>', 'the sub-agent whose result file it is')
    .option(...worker)
    .option(...commit)
    .action(action(async () => (await import('./commands/claim.ts')).claimCheck));
}
