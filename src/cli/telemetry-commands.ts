/** The commands about telemetry: looking at it, connecting it, reading it in and out. */
import { type Command, Option } from 'commander';
import { BREAKDOWNS, EVENT_KINDS } from '../facts/at-start.ts';
import { branch, countingNumber, leaf, type Wrap } from './command-parts.ts';

export function addLook(program: Command, action: Wrap): void {
  leaf(program, 'look', 'see what recurs in transcripts, logs and traces; needs no set-up')
    .argument('<path...>', 'files or folders, such as ~/.claude')
    .option('--since <time>', 'only from then on: 24h, 7d, 2026-03-02')
    .option('--project <name>', 'only this project: a part of its path')
    .option('--all-projects', 'show all projects, not only five', false)
    .option('--top <number>', 'show at most this many failures of each project', countingNumber, 5)
    .option('--examples <number>', 'show at most this many examples of each', countingNumber, 3)
    .action(action(async () => (await import('./commands/look.ts')).look));
}

export function addSources(program: Command, action: Wrap): void {
  const sources = branch(program, 'sources', 'where telemetry comes from');
  leaf(sources, 'list', 'list sources, and what each of them brought', {
    isDefault: true,
  }).action(action(async () => (await import('./commands/sources.ts')).sourcesList));
  leaf(sources, 'check', 'say what is wrong with sources; exit 1 if anything is')
    .argument('[name]', 'only this one')
    .action(action(async () => (await import('./commands/sources.ts')).sourcesCheck));
  leaf(sources, 'add', 'recognise telemetry, show three events, write it into hone.yaml')
    .argument('<path|url>', 'a file, a folder, or the address that telemetry is sent to')
    .option('--kind <kind>', 'its kind, if it is not recognised')
    .option('--name <name>', 'what to call it')
    .option('--dry-run', 'show it, and write nothing', false)
    .action(action(async () => (await import('./commands/source-add.ts')).sourcesAdd));
}

export function addIngest(program: Command, action: Wrap): void {
  leaf(program, 'ingest', 'read files into the telemetry; repeating it counts nothing twice')
    .argument('<path>', 'a file, a folder, or - for standard input')
    .option('--format <kind>', 'its kind, if it is not recognised')
    .option('--since <time>', 'only from then on: 24h, 7d, 2026-03-02')
    .option('--follow', 'go on reading what is added, until Ctrl-C', false)
    .option('--as <name>', 'the name of the source to keep it under')
    .action(action(async () => (await import('./commands/ingest.ts')).ingest));
}

export function addCollect(program: Command, action: Wrap): void {
  leaf(program, 'collect', 'write the sanitised events of a time to a file')
    .option('--since <time>', 'from then on: 24h, 7d, 2026-03-02', '24h')
    .option('--output <file>', 'YYYY-MM-DD stands for today', 'events/YYYY-MM-DD.jsonl')
    .option('--keep <duration>', 'remove files that it wrote before that', '30d')
    .action(action(async () => (await import('./commands/collect.ts')).collect));
}

export function addEvents(program: Command, action: Wrap): void {
  const events = branch(program, 'events', 'what agents did, event by event');
  leaf(events, 'list', 'list events, the newest last', { isDefault: true })
    .option('--since <time>', 'from then on: 24h, 7d, 2026-03-02 (24h unless given)')
    .option('--until <time>', 'before then')
    .addOption(new Option('--kind <kind>', 'only those').choices(EVENT_KINDS))
    .option('--agent <name>', 'only of this agent')
    .option('--tool <name>', 'only of this tool')
    .option('--session <id>', 'only of this session; its beginning is enough')
    .option('--source <name>', 'only from this source')
    .option('--failed', 'only those that failed')
    .option('--pattern <id>', 'only the occurrences of this pattern')
    .option('--text <text>', 'only those with this text in them')
    .option('--limit <number>', 'show at most this many', countingNumber, 20)
    .action(action(async () => (await import('./commands/events.ts')).eventsList));
  leaf(events, 'count', 'count events by agent, tool, model or another dimension')
    .addOption(new Option('--by <dimension>', 'by what').choices(BREAKDOWNS).default('agent'))
    .option('--since <time>', 'from then on: 24h, 7d, 2026-03-02 (24h unless given)')
    .option('--until <time>', 'before then')
    .action(action(async () => (await import('./commands/event-counts.ts')).eventsCount));
  leaf(events, 'show', 'show one event with all its fields')
    .argument('<id>')
    .action(action(async () => (await import('./commands/events.ts')).eventsShow));
}

export function addTraces(program: Command, action: Wrap): void {
  const traces = branch(program, 'traces', 'sessions and traces, step by step');
  leaf(traces, 'list', 'list traces, the newest first', { isDefault: true })
    .option('--since <time>', 'from then on: 24h, 7d, 2026-03-02 (24h unless given)')
    .option('--until <time>', 'before then')
    .option('--agent <name>', 'only of this agent')
    .option('--source <name>', 'only from this source')
    .option('--failed', 'only those in which something failed')
    .option('--limit <number>', 'show at most this many', countingNumber, 20)
    .action(action(async () => (await import('./commands/traces.ts')).tracesList));
  leaf(traces, 'show', 'show the steps of a trace or session; the first error is marked')
    .argument('<id>', 'its id, or a unique prefix of it')
    .option('--since <time>', 'look back until then (14d unless given)')
    .action(action(async () => (await import('./commands/traces.ts')).tracesShow));
}

export function addSanitize(program: Command, action: Wrap): void {
  leaf(program, 'sanitize', 'print a text without its secrets, as Hone would keep it')
    .argument('[file]', 'standard input unless given')
    .option('--report', 'print what would be replaced and in which lines, not the text', false)
    .action(action(async () => (await import('./commands/sanitize.ts')).sanitize));
}
