/** Patterns and a target for this room's tests. */
import type { Pattern, SettingSubject } from '../facts/index.ts';
import type { TargetRepository } from '../git/index.ts';
import { normalQuantile } from '../stats/index.ts';

export const FILE = 'agents/researcher.yaml';
export const TEXT = `# The researcher.\r\nname: researcher
tools:
  web_search:
    timeout_ms: 800   # too tight
    retries: 2
  fetch: { timeout_ms: 800 }
`;

/** Latencies of a log-normal service, as far as a limit lets them be seen: buckets of 5 %. */
export function service(options: {
  readonly medianMs: number;
  readonly sigma: number;
  readonly limitMs: number;
  readonly calls: number;
}): { readonly succeeded: Pattern['succeededLatency']; readonly failures: number } {
  const { medianMs, sigma, limitMs, calls } = options;
  const counts = new Map<number, number>();
  let [failures, minMs, maxMs] = [0, Number.POSITIVE_INFINITY, 0];
  for (let at = 0; at < calls; at++) {
    const ms = medianMs * Math.exp(sigma * normalQuantile((at + 0.5) / calls));
    if (ms > limitMs) {
      failures += 1;
      continue;
    }
    const edge = 1.05 ** Math.ceil(Math.log(ms) / Math.log(1.05));
    counts.set(edge, (counts.get(edge) ?? 0) + 1);
    minMs = Math.min(minMs, ms);
    maxMs = Math.max(maxMs, ms);
  }
  const buckets = [...counts].map(([uptoMs, count]) => ({ uptoMs, count }));
  return { succeeded: { count: calls - failures, minMs, maxMs, buckets }, failures };
}

const { succeeded, failures } = service({ medianMs: 400, sigma: 0.5, limitMs: 800, calls: 4320 });

export function pattern(changes: Partial<Pattern> = {}): Pattern {
  return {
    id: 'pat_0123456789abcdef0123',
    title: 'web_search of researcher times out (358 of 4 320 calls)',
    kind: 'timeout',
    template: 'timed out after <*> ms',
    agent: 'researcher',
    tool: 'web_search',
    errorCode: 'TIMEOUT',
    occurrences: failures,
    calls: 4320,
    sessions: 300,
    firstAtMs: Date.UTC(2026, 0, 2),
    lastAtMs: Date.UTC(2026, 0, 3),
    score: 30,
    impact: 0.08,
    noise: 1,
    severity: 'medium',
    layer: 'settings',
    confidence: 0.95,
    reasons: ['The number 800 stands in 20 of 20 messages.'],
    evidence: ['event:e1', 'event:e2'],
    subject: settingOf({}),
    failedLatency: { count: 1, minMs: 800, maxMs: 805, buckets: [{ uptoMs: 820, count: 1 }] },
    succeededLatency: succeeded,
    ...changes,
  };
}

export function settingOf(changes: Partial<SettingSubject>): SettingSubject {
  return {
    kind: 'setting',
    file: FILE,
    line: 5,
    path: ['tools', 'web_search', 'timeout_ms'],
    value: 800,
    unit: 'ms',
    commit: 'c'.repeat(40),
    reach: { kind: 'one', names: ['web_search'], within: 'researcher' },
    ...changes,
  };
}

/** A repository of which some parts are replaced. */
export function withParts(
  repository: TargetRepository,
  parts: Partial<TargetRepository>,
): TargetRepository {
  return new Proxy(repository, {
    get(target, name) {
      const part = Reflect.get(name in parts ? parts : target, name);
      return typeof part === 'function' ? part.bind(target) : part;
    },
  });
}
