/**
 * Our own claims: small repositories in three languages (`score/claims/*.txt`, a line `=== path` before each file) and facts
 * about them, written down by hand and not found by the code that is measured. Each fact is said in several ways, once as it
 * is and once with a mistake of a kind that agents make: a file, a name, an owner, a parameter that is not there.
 */
import { readFileSync } from 'node:fs';
import type { ClaimSet, LabelledClaim } from '../claims.ts';

/** A name, the file that declares it, and its owner. */
type Fact = readonly [name: string, file: string, owner?: string];
/** A signature as it is written, one with a mistake, and the file. */
type Signed = readonly [right: string, wrong: string, file: string];

interface Facts {
  readonly name: string;
  readonly files: readonly (readonly [right: string, wrong: string])[];
  readonly symbols: readonly Fact[];
  readonly signatures: readonly Signed[];
  readonly tables: readonly (readonly [right: string, wrong: string])[];
  readonly snippets: readonly (readonly [language: string, right: string, wrong: string])[];
}

const ORDERS: Facts = {
  name: 'orders',
  files: [
    ['src/money.ts', 'src/currency.ts'],
    ['src/pricing.ts', 'src/price/rules.ts'],
    ['test/pricing.test.ts', 'test/service.test.ts'],
    ['migrations/002_payments.sql', 'migrations/003_refunds.sql'],
    ['package.json', 'tsconfig.build.json'],
  ],
  symbols: [
    ['Money', 'src/money.ts'],
    ['formatMoney', 'src/money.ts'],
    ['add', 'src/money.ts', 'Money'],
    ['isZero', 'src/money.ts', 'Money'],
    ['PriceRule', 'src/pricing.ts'],
    ['DEFAULT_RULES', 'src/pricing.ts'],
    ['applies', 'src/pricing.ts', 'PriceRule'],
    ['OrderStatus', 'src/types.ts'],
    ['Shipped', 'src/types.ts', 'OrderStatus'],
    ['OrderService', 'src/service.ts'],
    ['cancel', 'src/service.ts', 'OrderService'],
    ['onChange', 'src/service.ts', 'OrderService'],
    ['notFound', 'src/service.ts', 'OrderError'],
    ['priceOf', 'src/index.ts'],
  ],
  signatures: [
    [
      'formatMoney(money: Money, locale?: string): string',
      'formatMoney(locale: string, money: Money): string',
      'src/money.ts',
    ],
    ['priceOf(lines, rules, now)', 'priceOf(lines, now)', 'src/pricing.ts'],
    [
      'Money.times(factor: number, rounding)',
      'Money.times(rounding, factor: number)',
      'src/money.ts',
    ],
    ['new Money(cents, currency)', 'new Money(currency, cents, locale)', 'src/money.ts'],
    [
      'OrderService.cancel(id: OrderId, reason?: string): Promise<void>',
      'OrderService.cancel(id: string, reason?: string)',
      'src/service.ts',
    ],
    [
      'OrderError.notFound(id: OrderId): OrderError',
      'OrderError.notFound(id: OrderId): never',
      'src/service.ts',
    ],
    [
      'new OrderError(code, message, options)',
      'new OrderError(message, code, options)',
      'src/service.ts',
    ],
  ],
  tables: [
    ['orders', 'invoices'],
    ['payments', 'order_lines'],
    ['lines', 'carts'],
  ],
  snippets: [
    [
      'ts',
      'const total = priceOf(lines, [], new Date());',
      'const total = priceOf(lines, [, new Date();',
    ],
    [
      'js',
      'export const f = async () => { await g(); };',
      'export const f = async () = { await g(); };',
    ],
  ],
};

const JOBS: Facts = {
  name: 'jobs',
  files: [
    ['jobs/backoff.py', 'jobs/retry.py'],
    ['jobs/queue.py', 'jobs/queues.py'],
    ['tests/test_queue.py', 'tests/test_backoff.py'],
    ['schema/tables.sql', 'schema/indexes.sql'],
    ['jobs/cli.py', 'src/jobs/cli.py'],
  ],
  symbols: [
    ['exponential', 'jobs/backoff.py'],
    ['with_jitter', 'jobs/backoff.py'],
    ['MAX_DELAY', 'jobs/backoff.py'],
    ['Job', 'jobs/queue.py'],
    ['from_row', 'jobs/queue.py', 'Job'],
    ['is_final', 'jobs/queue.py', 'Job'],
    ['tags', 'jobs/queue.py', 'Job'],
    ['JobState', 'jobs/queue.py'],
    ['RUNNING', 'jobs/queue.py', 'JobState'],
    ['QueueFull', 'jobs/queue.py'],
    ['enqueue', 'jobs/queue.py', 'JobQueue'],
    ['drain', 'jobs/queue.py', 'JobQueue'],
    ['push', 'jobs/queue.py', 'Storage'],
    ['build_parser', 'jobs/cli.py'],
  ],
  signatures: [
    [
      'exponential(attempt: int, base: float = 1.0, *, cap: float = MAX_DELAY) -> float',
      'exponential(attempt: int, cap: float = MAX_DELAY)',
      'jobs/backoff.py',
    ],
    [
      'with_jitter(backoff, share=0.1, rng=None)',
      'with_jitter(backoff, rng=None)',
      'jobs/backoff.py',
    ],
    ['delays(backoff, tries)', 'delays(tries, backoff)', 'jobs/backoff.py'],
    ['Job.from_row(row, *, strict=True)', 'Job.from_row(row, *, strict=False)', 'jobs/queue.py'],
    ['Job.retry(limit: int, backoff)', 'Job.retry(limit: float, backoff)', 'jobs/queue.py'],
    [
      'JobQueue.drain(handler, timeout: float = 1.0) -> int',
      'JobQueue.drain(handler) -> int',
      'jobs/queue.py',
    ],
    [
      'main(argv: list[str] | None = None) -> int',
      'main(argv: list[str], prog: str) -> int',
      'jobs/cli.py',
    ],
  ],
  tables: [
    ['jobs', 'queues'],
    ['job_runs', 'runs'],
    ['workers', 'job_locks'],
  ],
  snippets: [
    [
      'python',
      'for delay in delays(exponential, 3):\n    print(delay)',
      'for delay in delays(exponential, 3)\n    print(delay)',
    ],
    [
      'py',
      'job = Job("a", {})\nassert not job.is_final',
      'job = Job("a", {)\nassert not job.is_final',
    ],
  ],
};

const LIMITER: Facts = {
  name: 'limiter',
  files: [
    ['internal/bucket/bucket.go', 'internal/bucket/tokens.go'],
    ['internal/bucket/registry.go', 'internal/registry/registry.go'],
    ['cmd/limiter/main.go', 'cmd/main.go'],
    ['db/001_clients.up.sql', 'db/002_limits.up.sql'],
    ['go.mod', 'go.work.sum'],
  ],
  symbols: [
    ['Bucket', 'internal/bucket/bucket.go'],
    ['New', 'internal/bucket/bucket.go'],
    ['Take', 'internal/bucket/bucket.go', 'Bucket'],
    ['refill', 'internal/bucket/bucket.go', 'Bucket'],
    ['Tokens', 'internal/bucket/bucket.go', 'Bucket'],
    ['ErrEmpty', 'internal/bucket/bucket.go'],
    ['DefaultBurst', 'internal/bucket/bucket.go'],
    ['WithClock', 'internal/bucket/bucket.go'],
    ['Registry', 'internal/bucket/registry.go'],
    ['Get', 'internal/bucket/registry.go', 'Registry'],
    ['Forget', 'internal/bucket/registry.go', 'Registry'],
    ['RateOf', 'internal/bucket/registry.go', 'Source'],
    ['NewRegistry', 'internal/bucket/registry.go'],
    ['TestTakeEmpty', 'internal/bucket/bucket_test.go'],
  ],
  signatures: [
    [
      'func (b *Bucket) Take(n int) (left float64, err error)',
      'func (b *Bucket) Take(n int, wait bool) (left float64, err error)',
      'internal/bucket/bucket.go',
    ],
    [
      'New(rate float64, options ...Option) *Bucket',
      'New(options ...Option) *Bucket',
      'internal/bucket/bucket.go',
    ],
    ['WithBurst(burst int) Option', 'WithBurst(burst float64) Option', 'internal/bucket/bucket.go'],
    [
      'Registry.Get(key K, rate float64) *Bucket',
      'Registry.Get(rate float64, key K) *Bucket',
      'internal/bucket/registry.go',
    ],
    [
      'NewRegistry(limit int)',
      'NewRegistry(limit int, rate float64)',
      'internal/bucket/registry.go',
    ],
    ['Registry.Forget(keys ...K) int', 'Registry.Forget(key K) int', 'internal/bucket/registry.go'],
    [
      'run(ctx context.Context, address string) error',
      'run(address string) error',
      'cmd/limiter/main.go',
    ],
  ],
  tables: [
    ['clients', 'accounts'],
    ['limits', 'client_limits'],
    ['clients', 'buckets'],
  ],
  snippets: [
    [
      'go',
      'b := bucket.New(5, bucket.WithBurst(3))\nif _, err := b.Take(1); err != nil {\n\treturn err\n}',
      'b := bucket.New(5, bucket.WithBurst(3)\nif _, err := b.Take(1); err != nil {\n\treturn err\n}',
    ],
    [
      'go',
      'package p\n\nfunc f() int {\n\treturn 1\n}',
      'package p\n\nfunc f() int {\n\treturn 1\n',
    ],
  ],
};

const ALL = [ORDERS, JOBS, LIMITER];

export function ownClaims(): ClaimSet[] {
  return ALL.map((facts) => ({
    name: facts.name,
    files: filesOf(facts.name),
    claims: claimsOf(facts),
  }));
}

function filesOf(name: string): ReadonlyMap<string, string> {
  const text = readFileSync(new URL(`../claims/${name}.txt`, import.meta.url), 'utf8');
  const parts = text.split(/^=== (.+)\n/m).slice(1);
  const files = new Map<string, string>();
  for (let at = 0; at < parts.length; at += 2) files.set(parts[at]!, parts[at + 1]!);
  return files;
}

function claimsOf(facts: Facts): LabelledClaim[] {
  const pair = (level: number | string, right: string, wrong: string): LabelledClaim[] => [
    { level, text: right, true: true },
    { level, text: wrong, true: false },
  ];
  const others = (file: string) =>
    facts.symbols.find(([, other, owner]) => other !== file && owner === undefined)!;
  return [
    ...facts.files.flatMap(([right, wrong], at) =>
      pair(1, FILE_WAYS[at % FILE_WAYS.length]!(right), FILE_WAYS[at % FILE_WAYS.length]!(wrong)),
    ),
    ...facts.symbols.flatMap(([name, file, owner], at) => [
      ...pair(
        2,
        SYMBOL_WAYS[at % SYMBOL_WAYS.length]!(name, file),
        SYMBOL_WAYS[at % SYMBOL_WAYS.length]!(misnamed(name), file),
      ),
      ...(owner === undefined
        ? pair(
            2,
            `\`${name}\` is defined in \`${file}\`.`,
            `\`${name}\` is defined in \`${others(file)[1]}\`.`,
          )
        : pair(
            2,
            OWNED_WAYS[at % OWNED_WAYS.length]!(name, owner),
            OWNED_WAYS[at % OWNED_WAYS.length]!(misnamed(name), owner),
          )),
    ]),
    ...facts.signatures.flatMap(([right, wrong, file]) => [
      ...pair(3, `The signature is \`${right}\`.`, `The signature is \`${wrong}\`.`),
      ...pair(3, `I kept \`${right}\` in ${file}.`, `I kept \`${wrong}\` in ${file}.`),
    ]),
    ...facts.tables.flatMap(([right, wrong]) =>
      pair(
        'table',
        `Rows are kept in the table \`${right}\`.`,
        `It reads from the \`${wrong}\` table.`,
      ),
    ),
    ...facts.snippets.flatMap(([language, right, wrong]) =>
      pair('snippet', fenced(language, right), fenced(language, wrong)),
    ),
  ];
}

const fenced = (language: string, code: string) =>
  `It is used like this:\n\n\`\`\`${language}\n${code}\n\`\`\``;

const FILE_WAYS: readonly ((path: string) => string)[] = [
  (path) => `The change is in \`${path}\`.`,
  (path) => `See ${path} for the details.`,
  (path) => `Files touched:\n- \`${path}\``,
  (path) => `I edited ${path}, nothing else.`,
];
const SYMBOL_WAYS: readonly ((name: string, file: string) => string)[] = [
  (name, file) => `I added \`${name}\` to \`${file}\`.`,
  (name, file) => `\`${name}\` (${file}) is covered by a test.`,
  (name, file) => `The new \`${name}\` in ${file} replaces the old one.`,
  (name, file) =>
    `Callers use \`${name}\`, which I wrote today. It is declared in ${file}; see \`${name}\` in ${file}.`,
];
const OWNED_WAYS: readonly ((name: string, owner: string) => string)[] = [
  (name, owner) => `\`${owner}.${name}\` does it now.`,
  (name, owner) => `I added the \`${name}\` method to \`${owner}\`.`,
];

/** As agents misremember names: a plausible word more, in the name's own style. */
function misnamed(name: string): string {
  if (name.includes('_') && name === name.toUpperCase()) return `${name}_MS`;
  if (name.includes('_')) return `${name}_async`;
  if (name === name.toUpperCase()) return `${name}_ONCE`;
  return `${name}Async`;
}
