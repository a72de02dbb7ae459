/** Failures as agents and their tools write them, with holes such as `{path}` for names and numbers. */

export interface Pattern {
  readonly message: string;
  readonly errorClass?: string;
  readonly tool?: string;
  readonly stack?: 'js' | 'py' | 'java' | 'go' | 'rust';
  readonly attributes?: Readonly<Record<string, string>>;
}

export interface Family {
  readonly name: string;
  /** A pattern that is only a message is written as its text. */
  readonly patterns: readonly (Pattern | string)[];
}

export function patternsOf(family: Family): Pattern[] {
  return family.patterns.map((pattern) =>
    typeof pattern === 'string' ? { message: pattern } : pattern,
  );
}
