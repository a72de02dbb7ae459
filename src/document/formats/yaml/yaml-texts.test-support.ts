/** Sound YAML in every style: block and flow, anchors, aliases, merge keys, comments, line ends, several documents. */
import fc from 'fast-check';

type Tree =
  | { readonly kind: 'scalar'; readonly text: string }
  | { readonly kind: 'block'; readonly lines: readonly string[] }
  | { readonly kind: 'alias'; readonly pick: number }
  | {
      readonly kind: 'map';
      readonly flow: boolean;
      readonly anchored: boolean;
      readonly entries: readonly Entry[];
    }
  | {
      readonly kind: 'list';
      readonly flow: boolean;
      readonly anchored: boolean;
      readonly items: readonly Tree[];
    };

interface Entry {
  readonly key: string;
  readonly value: Tree;
  readonly anchored: boolean;
  readonly comment: string;
  /** Before this entry a merge key, where there is something to merge. */
  readonly merge: number | null;
}

const word = fc
  .stringMatching(/^[a-z]{1,6}$/)
  .filter((one) => !/^(?:n|y|no|on|off|yes|null|true|false)$/.test(one));
const scalar = fc.oneof(
  fc.integer({ min: -1e6, max: 1e6 }).map(String),
  fc.double({ min: 0.001, max: 1e6, noNaN: true }).map(String),
  word,
  fc.string().map((text) => JSON.stringify(text)),
  fc
    .string()
    .filter((text) => !/[\p{Cc}]/u.test(text))
    .map((text) => `'${text.replaceAll("'", "''")}'`),
  fc.constantFrom(
    ...[
      '0x1F',
      '0o17',
      '1e3',
      '-1.5E+2',
      '.5',
      '+7',
      '1_200',
      '5s',
      '10m',
      '1h30m',
      '"800"',
      "'5s'",
      '"7"',
    ],
    ...[
      'true',
      'False',
      'yes',
      'OFF',
      '~',
      'null',
      '!!str 5',
      '!!int 3',
      '"# no comment"',
      "'a: b'",
    ],
  ),
);
const comment = fc.constantFrom('', '', ' # 800: x', '   # ü', ' ');

const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 5, arbitrary: scalar.map((text) => ({ kind: 'scalar', text })) },
    {
      weight: 1,
      arbitrary: fc
        .array(word, { minLength: 1, maxLength: 3 })
        .map((lines) => ({ kind: 'block', lines })),
    },
    { weight: 1, arbitrary: fc.nat().map((pick) => ({ kind: 'alias', pick })) },
    { weight: 3, arbitrary: tie('map') },
    { weight: 2, arbitrary: tie('list') },
  ),
  map: fc.record({
    kind: fc.constant('map'),
    flow: fc.boolean(),
    anchored: fc.boolean(),
    entries: fc.uniqueArray(
      fc.record({
        // Few names, so that merged keys and own ones meet.
        key: fc.oneof(fc.constantFrom('a', 'b', 'c', 'd'), word),
        value: tie('tree'),
        anchored: fc.boolean(),
        comment,
        merge: fc.option(fc.nat(), { freq: 3 }),
      }),
      { selector: ({ key }) => key, maxLength: 4 },
    ),
  }),
  list: fc.record({
    kind: fc.constant('list'),
    flow: fc.boolean(),
    anchored: fc.boolean(),
    items: fc.array(tie('tree'), { maxLength: 3 }),
  }),
})) as unknown as { tree: fc.Arbitrary<Tree> };

/** What aliases may refer to: anchors that are complete. */
interface Anchors {
  count: number;
  readonly all: string[];
  readonly maps: string[];
}

function anchor(node: { readonly anchored: boolean; readonly kind?: string }, anchors: Anchors) {
  if (!node.anchored) return { prefix: '', done: () => {} };
  anchors.count += 1;
  const name = `a${anchors.count}`;
  const done = () => {
    anchors.all.push(name);
    if (node.kind === 'map') anchors.maps.push(name);
  };
  return { prefix: `&${name} `, done };
}

/** On one line. */
function flow(node: Tree, anchors: Anchors): string {
  if (node.kind === 'scalar') return node.text;
  if (node.kind === 'block') return JSON.stringify(node.lines.join('\n'));
  if (node.kind === 'alias') {
    const name = anchors.all[node.pick % Math.max(1, anchors.all.length)];
    return name === undefined ? '~' : `*${name}`;
  }
  const { prefix, done } = anchor(node, anchors);
  const inner =
    node.kind === 'list'
      ? node.items.map((item) => flow(item, anchors)).join(', ')
      : node.entries
          .map((entry) => {
            const own = entry.value.kind === 'scalar' ? anchorOf(entry, anchors) : '';
            return `${merged(entry, node, anchors, ', ')}${entry.key}: ${own}${flow(entry.value, anchors)}`;
          })
          .join(', ');
  done();
  return node.kind === 'list' ? `${prefix}[${inner}]` : `${prefix}{ ${inner} }`;
}

/** Of a scalar that has no tag or anchor of its own. */
function anchorOf({ anchored, value }: Entry, anchors: Anchors): string {
  if (value.kind !== 'scalar' || value.text.startsWith('!')) return '';
  const { prefix, done } = anchor({ anchored }, anchors);
  done();
  return prefix;
}

/** One merge key for each map. */
function merged(entry: Entry, map: Tree & { kind: 'map' }, anchors: Anchors, end: string): string {
  const first = map.entries.find(({ merge }) => merge !== null);
  if (entry !== first || entry.merge === null || anchors.maps.length === 0) return '';
  return `<<: *${anchors.maps[entry.merge % anchors.maps.length]}${end}`;
}

/** Behind `key:` or `-`, with the line end. */
function block(node: Tree, indent: number, anchors: Anchors, tail: string): string {
  const pad = ' '.repeat(indent);
  if (node.kind === 'block') return ` |\n${node.lines.map((line) => `${pad}${line}\n`).join('')}`;
  if (node.kind === 'map' && !node.flow && node.entries.length > 0) {
    const { prefix, done } = anchor(node, anchors);
    const lines = node.entries.map((entry) => {
      const before = merged(entry, node, anchors, '\n');
      const own = anchorOf(entry, anchors);
      const head = `${before === '' ? '' : pad + before}${pad}${entry.key}:`;
      return `${head}${own === '' ? '' : ` ${own.trim()}`}${block(entry.value, indent + 2, anchors, entry.comment)}`;
    });
    done();
    return ` ${prefix}\n${lines.join('')}`;
  }
  if (node.kind === 'list' && !node.flow && node.items.length > 0) {
    const { prefix, done } = anchor(node, anchors);
    const lines = node.items.map((item) => `${pad}-${block(item, indent + 2, anchors, '')}`);
    done();
    return ` ${prefix}\n${lines.join('')}`;
  }
  return ` ${flow(node, anchors)}${tail}\n`;
}

function documentText(root: Tree): string {
  return block(root, 0, { count: 0, all: [], maps: [] }, '').replace(/^ +/, '');
}

export const yamlTexts: fc.Arbitrary<string> = fc
  .record({
    roots: fc.array(tree, { minLength: 1, maxLength: 3 }),
    mark: fc.constantFrom('', '', '\ufeff'),
    crlf: fc.boolean(),
    head: fc.constantFrom('', '# head: 1\n', '---\n'),
  })
  .map(({ roots, mark, crlf, head }) => {
    // A block on the line of the document's start would be read as part of it.
    const parts = roots.map((root) => documentText(root));
    const text = mark + head + parts.join('---\n');
    return crlf ? text.replaceAll('\n', '\r\n') : text;
  });
