/**
 * A command line as the simple commands that a shell would run: quotes taken away, pipelines and lists cut, what stands
 * in `$(…)` read as commands too, plain assignments filled in. No shell is as simple; what cannot be read that way
 * (computed words, files that are sourced) stays unseen.
 */

export interface SimpleCommand {
  readonly words: readonly string[];
  /** Its output is the input of the next one. */
  readonly isPiped: boolean;
  /** Files that its output goes to. */
  readonly outputs: readonly string[];
}

const WORDS_MAX = 20_000;

export function simpleCommands(line: string): SimpleCommand[] {
  const commands: SimpleCommand[] = [];
  const variables = new Map<string, string>();
  let words: string[] = [];
  let outputs: string[] = [];
  let word: string | undefined;
  let isOutput = false;
  let count = 0;
  const endWord = () => {
    if (word === undefined) return;
    const filled = fill(word, variables);
    if (isOutput) outputs.push(filled);
    else words.push(...(filled === word ? [filled] : filled.split(/\s+/)));
    isOutput = false;
    word = undefined;
    count++;
  };
  const endCommand = (isPiped: boolean) => {
    endWord();
    while (words.length > 0 && /^[A-Za-z_]\w*=/.test(words[0]!)) {
      const [name] = words[0]!.split('=', 1);
      variables.set(name!, words.shift()!.slice(name!.length + 1));
    }
    if (words.length > 0 || outputs.length > 0) commands.push({ words, isPiped, outputs });
    words = [];
    outputs = [];
  };
  const text = line.replace(/\$\{?IFS\}?/g, ' ');
  for (let at = 0; at < text.length && count < WORDS_MAX; at++) {
    const sign = text[at]!;
    if (sign === '\\') word = (word ?? '') + (text[++at] ?? '');
    else if (sign === "'" || sign === '"') {
      const end = closing(text, at);
      const inside = text.slice(at + 1, end);
      word = (word ?? '') + inside;
      if (sign === '"') commands.push(...substituted(inside));
      at = end;
    } else if (sign === '$' && text[at + 1] === '(') {
      const end = text.indexOf(')', at);
      commands.push(...simpleCommands(text.slice(at + 2, end < 0 ? text.length : end)));
      at = end < 0 ? text.length : end;
      word = word ?? '';
    } else if (/\s/.test(sign) && sign !== '\n') endWord();
    else if (sign === '>') {
      endWord();
      isOutput = true;
    } else if (sign === '|' && text[at + 1] !== '|') endCommand(true);
    else if (';&|\n(){}'.includes(sign)) endCommand(false);
    else word = (word ?? '') + sign;
  }
  endCommand(false);
  return commands;
}

function closing(text: string, from: number): number {
  const quote = text[from];
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\' && quote === '"') at++;
    else if (text[at] === quote) return at;
  }
  return text.length;
}

/** Of a text in double quotes, what a shell runs before it uses the text. */
function substituted(inside: string): SimpleCommand[] {
  return [...inside.matchAll(/\$\(([^)]*)\)/g)].flatMap(([, inner]) => simpleCommands(inner!));
}

function fill(word: string, variables: ReadonlyMap<string, string>): string {
  if (variables.size === 0 || !word.includes('$')) return word;
  return word.replace(/\$\{?([A-Za-z_]\w*)\}?/g, (all, name: string) => variables.get(name) ?? all);
}
