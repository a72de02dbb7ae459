/** Proposals a second, from pattern to proven diff, on a target of five thousand files. */
import { type Pattern, SYSTEM } from '../src/facts/index.ts';
import { openRepository } from '../src/git/index.ts';
import { commitFiles, initRepository } from '../src/git/test-repositories.ts';
import { proposeFix } from '../src/propose/index.ts';
import type { Measurement } from '../tools/measure.ts';
import { withFolder } from './parts/bench-store.ts';

const PATTERNS = 1000;
const FILES = 5000;

export const measurement: Measurement = {
  what: 'proposals from 1 000 patterns on a target of 5 000 files',
  aims: { proposals_per_s: '>=20' },
  async *run({ scale, progress }) {
    const patterns = Math.max(20, Math.round(PATTERNS * scale));
    const files = Math.max(50, Math.round(FILES * scale));
    const seconds = await withFolder(async (folder) => {
      initRepository(folder);
      await using repository = await openRepository({ root: folder, durable: false });
      const head = await committed(repository, targetFiles(files));
      const startMs = performance.now();
      for (let at = 0; at < patterns; at++) {
        const answer = await proposeFix(patternAt(at % files, head), {
          ...{ repository, head, proposer: SYSTEM, minConfidence: 0.6 },
          ...{
            closedChanges: [],
            restored: [],
            openChanges: [],
            knownFixes: new Map(),
            helpedAlike: new Set(),
          },
        });
        if ('declined' in answer) throw new Error(answer.declined);
        if (at % 100 === 0) progress(`${at} proposals`);
      }
      return (performance.now() - startMs) / 1000;
    });
    yield { metric: 'proposals_per_s', value: patterns / seconds, n: patterns, unit: '/s' };
  },
};

/** One change has at most two thousand files. */
const AT_ONCE = 2000;

async function committed(
  repository: Parameters<typeof commitFiles>[0],
  files: Readonly<Record<string, string>>,
) {
  const entries = Object.entries(files);
  let head: Parameters<typeof commitFiles>[1];
  for (let at = 0; at < entries.length; at += AT_ONCE)
    head = await commitFiles(repository, head, Object.fromEntries(entries.slice(at, at + AT_ONCE)));
  return head!;
}

const fileAt = (at: number) => `agents/agent-${at}.yaml`;

function targetFiles(files: number): Record<string, string> {
  const text = (at: number) =>
    `# agent ${at}\nname: agent-${at}\ntools:\n  search:\n    timeout_ms: ${1000 + at}\n    retries: 2\n`;
  return Object.fromEntries(Array.from({ length: files }, (_, at) => [fileAt(at), text(at)]));
}

/** A timeout of an agent of its own. */
function patternAt(at: number, commit: string): Pattern {
  const limitMs = 1000 + at;
  const latency = (ms: number, count: number) => ({
    count,
    minMs: ms * 0.9,
    maxMs: ms,
    buckets: [
      { uptoMs: ms * 0.5, count: Math.floor(count / 2) },
      { uptoMs: ms, count: Math.ceil(count / 2) },
    ],
  });
  return {
    ...{ id: `pat_${at}`, title: `search of agent-${at} times out`, kind: 'timeout' },
    ...{ template: 'timed out', agent: `agent-${at}`, tool: 'search', errorCode: 'TIMEOUT' },
    ...{ occurrences: 400, calls: 4000, sessions: 300, firstAtMs: 0, lastAtMs: 1 },
    ...{ score: 30, impact: 0.1, noise: 1, severity: 'medium', layer: 'settings' },
    ...{ confidence: 0.95, reasons: ['It is cut off.'], evidence: ['event:1'] },
    subject: {
      ...{ kind: 'setting', file: fileAt(at), line: 5, path: ['tools', 'search', 'timeout_ms'] },
      ...{ value: limitMs, unit: 'ms', commit },
      reach: { kind: 'one', names: ['search'], within: `agent-${at}` },
    },
    failedLatency: latency(limitMs, 400),
    succeededLatency: latency(limitMs * 0.8, 3600),
  };
}
