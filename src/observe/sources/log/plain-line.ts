/**
 * A line of a plain log, taken apart: time, level, who wrote it, and what it says. The structure tells which is
 * which: the time's place, brackets and colons around a level, a path before ` - `.
 */
import { type LineTime, type TimeHints, timeInLine } from '../../reading/line-time.ts';
import { type Level, levelOfSeverity, levelOfWord } from '../../reading/outcomes.ts';
import { nameOf } from '../../reading/values.ts';

export interface PlainLine {
  readonly time: LineTime | undefined;
  /** Undefined if the line names none. */
  readonly level: Level | undefined;
  readonly logger: string | undefined;
  /** The program, where the line names it: syslog's identifier, the container before a `|`. */
  readonly program: string | undefined;
  readonly message: string;
}

export function plainLine(line: string, hints: TimeHints): PlainLine {
  const { container, text } = withoutContainer(line);
  const time = timeInLine(text, hints);
  if (time === undefined) return { ...untimed(text), time, program: container };
  const before = text.slice(0, time.start);
  const rest = text.slice(time.end).replace(/^[\])>"]{1,2}/, '');
  const priority = /^<(\d{1,3})>/.exec(before);
  const severity = priority === null ? undefined : levelOfSeverity(Number(priority[1]) & 7);
  if (/^<\d{1,3}>1 $/.test(before)) return { ...rfc5424(rest, severity), time };
  // Syslog's own form has no year, and a host and a program after it.
  const isSyslog = /^[A-Z][a-z]{2} /.test(text.slice(time.start, time.end)) || priority !== null;
  const sender = isSyslog ? syslogSender(rest) : undefined;
  if (sender !== undefined) {
    const inner = levelIn(sender.message);
    const level = severity ?? inner?.level;
    return { time, level, logger: undefined, program: sender.program, message: sender.message };
  }
  return { ...levelled(before, rest, klogLetter(text, time)), time, program: container };
}

/** klog writes a level's letter and the day as one word: `E1117`. */
function klogLetter(text: string, { start }: LineTime): string | undefined {
  return start === 0 ? /^([IWEFD])\d{4} /.exec(text)?.[1] : undefined;
}

/** `web-1  | …` of docker compose. */
function withoutContainer(line: string): { container: string | undefined; text: string } {
  const found = /^([A-Za-z0-9][\w.-]{0,60}) {1,30}\| /.exec(line);
  if (found === null) return { container: undefined, text: line };
  return { container: found[1], text: line.slice(found[0].length) };
}

function untimed(text: string) {
  const found = levelIn(text);
  if (found === undefined) return { level: undefined, logger: undefined, message: text };
  // `ERROR:root:no answer`, as Python writes without any configuration.
  const python = /^([A-Z]{4,8}):([\w.]{1,80}):/.exec(text);
  if (python !== null)
    return { level: found.level, logger: python[2], message: text.slice(python[0].length) };
  return { level: found.level, logger: undefined, message: found.after || text };
}

/** A line whose time was taken out. Its level may stand before or behind it. */
function levelled(before: string, rest: string, klog: string | undefined) {
  const place = /^\s{0,12}\d{1,10} ([\w.-]{1,80}):\d{1,7}\] /.exec(rest);
  if (klog !== undefined && place !== null)
    return {
      level: levelOfWord(klog, true),
      logger: place[1],
      message: rest.slice(place[0].length),
    };
  const found = levelIn(rest) ?? (before === '' ? undefined : levelIn(before));
  if (found === undefined)
    return { level: undefined, logger: undefined, message: withoutEdges(rest) };
  const isBehind = rest.endsWith(found.after) && found.after.length < rest.length;
  const said = withoutGroups(isBehind ? found.after : rest);
  const own = loggerBefore(said);
  const named = own ?? loggerAround(isBehind ? rest.slice(0, found.start) : '');
  return { level: found.level, logger: named?.logger, message: own?.message ?? said };
}

interface FoundLevel {
  readonly level: Level;
  readonly start: number;
  /** What stands behind it. */
  readonly after: string;
}

const WORDS_MAX = 8;
const PLAIN_LEVELS = new Set('error warn warning info debug fatal critical trace'.split(' '));

/** A level among the first words: in capitals, in brackets, before a colon, or as the first word. */
function levelIn(text: string): FoundLevel | undefined {
  const word = /[^A-Za-z0-9]{0,12}([A-Za-z0-9_.$/#@-]{1,120})/y;
  let at = 0;
  for (let count = 0; count < WORDS_MAX && at < 200; count++) {
    word.lastIndex = at;
    const found = word.exec(text);
    if (found === null) return undefined;
    const name = found[1]!;
    const end = word.lastIndex;
    const start = end - name.length;
    const level = levelOfWord(name);
    if (level !== undefined && isMarked(text, { name, start, end, count }))
      return { level, start, after: withoutEdges(text.slice(end)) };
    at = end;
  }
  return undefined;
}

function isMarked(
  text: string,
  { name, start, end, count }: { name: string; start: number; end: number; count: number },
): boolean {
  const [before, behind] = [text[start - 1] ?? ' ', text[end] ?? ' '];
  if ('[(<|='.includes(before) && ')]>|: ,'.includes(behind)) return true;
  if (before === ':' && behind === ']') return true;
  if (name === name.toUpperCase() && name.length > 2)
    return ' \t]:|-,'.includes(behind) && !/[A-Za-z0-9]/.test(before) && count < 6;
  if (count > 0) return false;
  return (
    behind === ':' || behind === '\t' || (behind === ' ' && PLAIN_LEVELS.has(name.toLowerCase()))
  );
}

const withoutEdges = (text: string) => text.replace(/^[\s\])}>|:,–-]{1,20}/, '').trimEnd();

/** `[main] [client 1.2.3.4] 812#812: *31 …`: threads, processes and connections before what is said. */
function withoutGroups(text: string): string {
  let said = text;
  for (let count = 0; count < 4; count++) {
    const group = /^\[[^\][]{1,80}\]:?\s{0,8}(?:-\s)?/.exec(said);
    if (group === null || group[0].length === said.length) break;
    said = said.slice(group[0].length);
  }
  return said.replace(/^\d{1,10}#\d{1,10}:\s(?:\*\d{1,15}\s)?/, '').replace(/^-\s/, '');
}

/** `com.shop.Orders - refused`, `agent::tool: failed`: a path and a mark, before what is said. */
function loggerBefore(text: string): { logger: string; message: string } | undefined {
  const found = /^([A-Za-z_$][\w.$/:-]{1,99}?)(?:\s{1,4}-\s|:\s|\t)/.exec(text.slice(0, 120));
  if (found === null) return undefined;
  const path = found[1]!.replace(/:\d{1,7}$/, '');
  const isDashed = /-\s$/.test(found[0]);
  if (!isDashed && !/[.]|::|\//.test(path)) return undefined;
  return { logger: path, message: text.slice(found[0].length) };
}

/** ` - agent.search - `, `[main] `: what stands between time and level, if it is a name with a path. */
function loggerAround(text: string): { logger: string } | undefined {
  const words = text
    .split(/[\s[\]()|]+/, 8)
    .filter((word) => /^[A-Za-z_$][\w.$/:-]{1,99}$/.test(word));
  const logger =
    words.find((word) => /[.:/]/.test(word)) ?? (/\s-\s/.test(text) ? words[0] : undefined);
  return logger === undefined ? undefined : { logger: logger.replace(/[:/.]$/, '') };
}

/** ` host program[99]: said`. */
function syslogSender(rest: string): { program: string; message: string } | undefined {
  const found = /^ {0,4}\S{1,255} ([\w./@-]{1,100})(?:\[\d{1,10}\])?: ?/.exec(rest.slice(0, 400));
  if (found === null) return undefined;
  return { program: found[1]!, message: rest.slice(found[0].length) };
}

/** ` HOST APP PROCESS ID [structured] said`. */
function rfc5424(rest: string, severity: Level | undefined) {
  const [, program, , data = ''] =
    /^ \S{1,255} (\S{1,48}) (\S{1,128}) \S{1,32} (.*)$/s.exec(rest) ?? [];
  const message = program === undefined ? rest.trim() : withoutData(data);
  return {
    level: severity,
    logger: undefined,
    program: program === '-' ? undefined : nameOf(program),
    message,
  };
}

/** Without the structured data, in which `]` may be escaped. */
function withoutData(text: string): string {
  if (text.startsWith('-')) return text.slice(1).trim();
  let at = 0;
  while (text[at] === '[') {
    let end = at + 1;
    while (end < text.length && text[end] !== ']') end += text[end] === '\\' ? 2 : 1;
    at = end + 1;
  }
  return text.slice(at).replace(/^\s?\ufeff?/, '');
}
