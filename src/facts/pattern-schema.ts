import { z } from 'zod';
import { FAILING_EVENTS } from './failures.ts';
import {
  ADDED_RULES,
  CAUSE_LAYERS,
  MEASURES,
  PATTERN_KINDS,
  REACH_KINDS,
  TRIGGERS_OF_FAILURES,
} from './pattern.ts';
import { SEVERITIES } from './proposal.ts';

const name = z.string().max(400);
const count = z.int().min(0);
const share = z.number().min(0).max(1);

const latencySchema = z.strictObject({
  count,
  minMs: z.number(),
  maxMs: z.number(),
  buckets: z.array(z.strictObject({ uptoMs: z.number(), count })).max(2000),
});

/** Who a value applies to, by its place in the file. */
export const reachSchema = z.strictObject({
  kind: z.enum(REACH_KINDS),
  /** Tools, or agents; for `all` those of the file that are known to inherit it. */
  names: z.array(z.string().max(1000)).max(100),
  /** The one agent whose value it is; null where it is everybody's. */
  within: z.string().max(1000).nullable(),
});

/** A value of a setting. */
export const settingValueSchema = z.union([z.number(), z.string().max(2000), z.boolean()]);

const line = z.int().min(1);
/** The commit that the place was read from. */
const commit = z.string().max(100);
const keys = z.array(name).min(1).max(50);

/** What is to blame for a failure: a place in the target's files, somebody else's service, or nothing known. */
const subjectSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('setting'),
    file: name,
    line,
    /** The keys that lead to it, such as `tools`, `web_search`, `timeout_ms`. */
    path: keys,
    value: settingValueSchema,
    /** As its key or its text says, such as `ms`; null where neither does. */
    unit: z.string().max(40).nullable(),
    /** What it limits, where a diagnosis says it; else the kind of the failure does. */
    limits: z.enum(['time', 'tries', 'rate', 'tokens', 'calls']).optional(),
    /** The value that counts suggest, and how it was found; else the generator finds one. */
    aim: z
      .strictObject({
        value: z.number(),
        why: z.string().max(1000),
        /** The most that was seen at work: a limit above it was never met. */
        reached: z.number().optional(),
      })
      .optional(),
    /** The name that should stand there, as other files of the target have it, and where it comes from. */
    becomes: z.strictObject({ value: z.string().max(200), why: z.string().max(1000) }).optional(),
    /** What it was before the commit that is blamed, and the commits around that. */
    before: z.strictObject({ commit, parent: commit, value: settingValueSchema }).optional(),
    commit,
    reach: reachSchema,
  }),
  /** A rule in a text, by the headings that lead to it. */
  z.strictObject({
    kind: z.literal('rule'),
    file: name,
    line,
    section: keys,
    /** A rule that is missing there, and the names in it, all of them from the target's files. */
    adds: z
      .strictObject({ rule: z.enum(ADDED_RULES), names: z.array(z.string().max(200)).max(5) })
      .optional(),
    /** A name in it that should be another one, the names that stand beside it, and how that is known. */
    renames: z
      .strictObject({
        from: z.string().max(200),
        to: z.string().max(200),
        beside: z.array(z.string().max(200)).max(50),
        why: z.string().max(1000),
      })
      .optional(),
    /**
     * The commit that is blamed for what the text is now, and the one before it; where only a part of it is blamed, the
     * line at which that part begins in the commit's text.
     */
    before: z
      .strictObject({ commit, parent: commit, line: line.optional(), lines: line.optional() })
      .optional(),
    commit,
    reach: reachSchema,
  }),
  z.strictObject({
    kind: z.literal('step'),
    file: name,
    line,
    workflow: name,
    step: name,
    commit,
  }),
  /** What a tool takes and gives; without a file where it is declared elsewhere. */
  z.strictObject({
    kind: z.literal('tool_contract'),
    tool: name,
    file: name.nullable(),
    line: line.nullable(),
    commit: commit.nullable(),
  }),
  z.strictObject({ kind: z.literal('code'), file: name, line, symbol: name, commit }),
  /** An outside service: nothing in the target's files is to blame. */
  z.strictObject({ kind: z.literal('service'), name }),
  z.strictObject({ kind: z.literal('unknown') }),
]);

/** A measure's level before and now. */
const shiftSchema = z.strictObject({
  measure: z.enum(MEASURES),
  unit: z.string().max(40).nullable(),
  before: z.number(),
  after: z.number(),
  /** Between which times it began, 95 % sure. */
  onsetFromMs: count,
  onsetToMs: count,
});

const time = z.int().min(0);

/** Since when it is there, what began it, and whether that is waited out. */
const whyNowSchema = z.strictObject({
  /** `none`: as old as the record. `change`: a commit. `load`: more calls than ever. `outside`: none of these. */
  trigger: z.enum(TRIGGERS_OF_FAILURES),
  since: z.strictObject({ atMs: time, lowMs: time, highMs: time }).nullable(),
  endedAtMs: time.nullable(),
  /** Share of the calls that fail with it, and without. */
  during: share,
  otherwise: share,
  commit: z.string().max(100).optional(),
  /** Why nothing is proposed for it now, in a sentence; null where something may be. */
  wait: z.string().max(1000).nullable(),
});

const sentences = z.array(z.string().max(1000)).max(10);

/** One answer to "what is to blame?", as it was weighed. */
const consideredSchema = z.strictObject({
  /** The place, service or layer. */
  what: z.string().max(300),
  layer: z.enum(CAUSE_LAYERS),
  confidence: share,
  for: sentences,
  against: sentences,
});

/** Whether calls that a time limit cuts off are long or hang is not known, and a longer limit would show it at little cost. */
const trialSchema = z.strictObject({
  /** They are cut off when they have taken so long. */
  cutOffMs: z.number().positive(),
  /** So many times as long costs little enough. */
  timesMax: z.number().min(1),
  /** How sure the cause is if they are long. */
  ifLong: share,
});

export const patternSchema = z.strictObject({
  id: z.string(),
  /** One line a person understands. */
  title: z.string().max(200),
  kind: z.enum(PATTERN_KINDS),
  /** Which events tell it; calls and tasks where absent. */
  event: z.enum([...FAILING_EVENTS, 'metric']).optional(),
  template: z.string().max(16_384),
  agent: name,
  tool: name,
  errorCode: name,
  /** Failures; of a shift the measured hours since. */
  occurrences: count,
  /** The most of them in any 24 hours; absent where all of them are in one day. */
  mostInDay: count.optional(),
  /** Those since the blamed value is what it is; absent where the window has as many. */
  gathered: count.optional(),
  /** Of a shift the measured hours before and since. */
  calls: count,
  sessions: count,
  firstAtMs: count,
  lastAtMs: count,
  /** occurrences × impact ÷ noise. */
  score: z.number(),
  impact: z.number(),
  noise: z.number(),
  severity: z.enum(SEVERITIES),
  layer: z.enum(CAUSE_LAYERS),
  /** How sure the layer is. */
  confidence: share,
  /** What it was by the clues alone, where outcomes of this installation moved it. */
  byClues: share.optional(),
  /** Why this layer: plain sentences, the strongest first. */
  reasons: z.array(z.string().max(1000)).max(20),
  /** `event:<id>` each; every one leads back to an event. */
  evidence: z.array(z.string()).max(100),
  subject: subjectSchema,
  /** What else was thought of and what speaks for and against each, the likeliest first. */
  considered: z.array(consideredSchema).max(10).optional(),
  /** What would tell the causes apart, in a sentence. */
  settledBy: z.string().max(1000).optional(),
  failedLatency: latencySchema.nullable(),
  succeededLatency: latencySchema.nullable(),
  shift: shiftSchema.optional(),
  trial: trialSchema.optional(),
  /** Others that explain it as well as the subject, in the order in which they are tried. */
  alternatives: z.array(subjectSchema).max(10).optional(),
  /** Absent in records from before it was looked for. */
  whyNow: whyNowSchema.optional(),
  /** The known pattern that it is most like, where it is new itself. */
  like: z.strictObject({ id: z.string(), similarity: share }).optional(),
  /** The fix after which it was gone and came back, in which layer, and when it was decided on. */
  returned: z
    .strictObject({ proposalId: z.string(), layer: z.enum(CAUSE_LAYERS), atMs: count })
    .optional(),
});
