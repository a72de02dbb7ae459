/** The rules of the configuration, ready to be run. */
import type { Found } from './found.ts';
import { isWordStart, type OwnMatcher, parsePattern } from './own-pattern.ts';
import { markEnd } from './shapes.ts';
import type { OwnRule } from './types.ts';

interface Ready {
  readonly match: OwnMatcher;
  readonly mark: string;
}

const ready = new WeakMap<readonly OwnRule[], readonly Ready[]>();

export function ownRules(found: Found, rules: readonly OwnRule[]): void {
  const { text } = found;
  for (const { match, mark } of readied(rules)) {
    for (let at = 0; at < text.length; ) {
      const skipped = text[at] === '[' ? markEnd(text, at) : undefined;
      const end = skipped ?? (isWordStart(text, at) ? match(text, at) : undefined);
      if (end === undefined) at += 1;
      else {
        if (skipped === undefined) found.add('own', at, end, mark);
        at = end;
      }
    }
  }
}

/** Throws for a pattern that was never checked: a rule that is not run must not pass for one that found nothing. */
function readied(rules: readonly OwnRule[]): readonly Ready[] {
  const known = ready.get(rules);
  if (known !== undefined) return known;
  const made = rules.map((rule) => {
    const parsed = parsePattern(rule.pattern);
    if ('problem' in parsed) throw new Error(`the rule ${rule.name}: ${parsed.problem}`);
    const mark = rule.mark ?? rule.name.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
    return { match: parsed.match, mark: `[REDACTED:${mark}]` };
  });
  ready.set(rules, made);
  return made;
}
