/**
 * Stack frames in the ways that languages print them: JavaScript, Python, Java, Go, Rust, Ruby, C#,
 * PHP. A frame is reduced to its function and its file without folders and line numbers, since those
 * change with every build.
 */

export interface Frame {
  readonly name: string;
  readonly file: string;
}

/** Frames deeper than this say which program ran, not what failed. */
const FRAMES_MAX = 24;
const LINE_UNITS_MAX = 400;

const FRAME_LINES: readonly { pattern: RegExp; name: number; file: number }[] = [
  {
    pattern: /^\s*at (?:async )?(?:new )?([^\s(]+)(?: \[as [^\]]+\])? \(([^)]*)\)/,
    name: 1,
    file: 2,
  },
  { pattern: /^\s*at (?:async )?([^\s()]+:\d+(?::\d+)?)$/, name: 0, file: 1 },
  { pattern: /^\s*at ([\w.$<>`]+)\([^)]*\)(?: in (.+):line \d+)?/, name: 1, file: 2 },
  { pattern: /^\s*File "([^"]+)", line \d+(?:, in (.+))?/, name: 2, file: 1 },
  { pattern: /^\s*from ([^\s:]+):\d+:in [`'](.+)'/, name: 2, file: 1 },
  { pattern: /^\s*([^\s:]+):\d+:in [`'](.+)'/, name: 2, file: 1 },
  { pattern: /^\s*\d+: +(?:0x[0-9a-f]+ - )?([\w:<>$ ]+::[\w:<>${}]+)/, name: 1, file: 0 },
  { pattern: /^\s*#\d+ (?:0x[0-9a-f]+ in )?([^\s(]+).*?(?: at |\()([^\s)]+)/, name: 1, file: 2 },
  { pattern: /^([\w./*()-]+)\((?:0x[0-9a-f]+|\.\.\.|\{)[^)]*\)$/, name: 1, file: 0 },
  { pattern: /^\s+([^\s:]+\.(?:go|rs)):\d+/, name: 0, file: 1 },
];

export function isFrameLine(line: string): boolean {
  return line.length <= LINE_UNITS_MAX && FRAME_LINES.some(({ pattern }) => pattern.test(line));
}

export function framesOf(lines: readonly string[]): Frame[] {
  const frames: Frame[] = [];
  for (const line of lines) {
    if (frames.length === FRAMES_MAX) break;
    if (line.length > LINE_UNITS_MAX) continue;
    for (const { pattern, name, file } of FRAME_LINES) {
      const match = pattern.exec(line);
      if (match === null) continue;
      frames.push({
        name: plainName(name === 0 ? '' : (match[name] ?? '')),
        file: plainFile(file === 0 ? '' : (match[file] ?? '')),
      });
      break;
    }
  }
  return frames;
}

function plainName(name: string): string {
  return name
    .replace(/<anonymous>|\$\d+|::h[0-9a-f]{16}$|`\d+/g, '')
    .split(/[.:/#]/)
    .filter((part) => part !== '')
    .slice(-2)
    .join('.');
}

function plainFile(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? '')
    .replace(/:\d+.*$/, '')
    .replace(/[-.][0-9a-f]{6,}(?=\.)/, '');
}

/** How alike two stacks are: shared frames count most near the top, and renamed ones a little. */
export function stackSimilarity(a: readonly Frame[], b: readonly Frame[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const depth = Math.min(a.length, b.length) / Math.max(a.length, b.length);
  return ((sharedBy(a, b) + sharedBy(b, a)) / 2) * (0.85 + 0.15 * depth);
}

/** How much of the top of `a` is near the same place in `b`. */
function sharedBy(a: readonly Frame[], b: readonly Frame[]): number {
  let weights = 0;
  let shared = 0;
  for (const [at, frame] of a.slice(0, b.length).entries()) {
    const weight = 1 / (1 + at);
    weights += weight;
    shared +=
      weight * Math.max(...[at - 1, at, at + 1].map((other) => frameSimilarity(frame, b[other])));
  }
  return shared / weights;
}

function frameSimilarity(a: Frame, b: Frame | undefined): number {
  if (b === undefined) return 0;
  if (a.name === b.name && a.file === b.file) return 1;
  if (a.name !== '' && a.name === b.name)
    return a.file === b.file || a.file === '' || b.file === '' ? 1 : 0.9;
  if (a.file !== '' && a.file === b.file) return 0.8;
  const extension = a.file.split('.').at(-1) === b.file.split('.').at(-1);
  return extension ? 0.55 : 0.2;
}
