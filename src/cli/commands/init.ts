/** `hone init`: sets a repository up. Running it twice changes nothing. */
import { setUp } from '../../app/set-up.ts';
import type { SetUp } from '../../contracts/setup.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { type Io, plainLine } from '../io.ts';
import { fields, wrap } from '../layout.ts';
import { shown } from '../shown.ts';

export function init(
  context: Context,
  options: { takeOver?: boolean; source?: string } = {},
): Promise<number> {
  const { io } = context;
  const asked = setUp(context, {
    takeOver: options.takeOver === true,
    source: options.source,
    choose: io.ask === undefined || io.json ? undefined : (nearby) => isWanted(io, nearby),
    keepToken: (token) => io.err(fields(tokenPairs(token), io.errorColumns, '  ')),
  });
  return answer(context, asked, (done) => setUpText(done, io.columns));
}

async function isWanted(
  { ask, err, errorColumns }: Io,
  { place, what }: { readonly place: string; readonly what: string },
): Promise<boolean> {
  err(wrap(`There is telemetry near: ${shown(place)} (${shown(what)}).`, errorColumns));
  const typed = (await ask?.('Connect it? Type yes: ')) ?? '';
  return typed.trim().toLowerCase() === 'yes';
}

function setUpText(done: SetUp, columns: number): string {
  if (done.configuration === 'edited' && !done.newLedger) return wrap(EDITED, columns);
  if (!done.changed) return `Already set up; nothing was changed.\n${nextText(done, columns)}`;
  const { configPath, configFile, stateDir, key, verifierKey } = done;
  const pairs: Pair[] = [
    ['Configuration', `${shown(configPath)} (${configFile}); edit it, then "hone config accept"`],
    ['State', shown(stateDir)],
    ...foundPairs(done),
    ['Ledger key', `${KEY_WORDS[key]}; its public part, for whoever checks your ledger:`],
    ['', verifierKey],
    ...(done.token === null ? noTokenPairs(done) : tokenPairs(done.token)),
    ...(done.newStore ? [NEW_STORE] : []),
  ];
  return [
    wrap(`Hone is set up for ${shown(done.root)}`, columns),
    '\n',
    fields(pairs, columns, '  '),
    '\n',
    nextText(done, columns),
  ].join('');
}

/** For the person who looks whether Hone understood the repository. */
function foundPairs({ found, agentFiles }: SetUp): Pair[] {
  const pairs: Pair[] = [
    ['Found', shown(found.join(', '))],
    ['Agent files', shown(agentFiles.join(', '))],
  ];
  return pairs.filter(([, value]) => value !== '');
}

function nextText({ next }: SetUp, columns: number): string {
  const listed = next.map((step, at) => {
    const [what = '', ...lines] = step.split('\n');
    const words = fields([[`${at + 1}.`, plainLine(what)]], columns, '  ');
    return words + lines.map((line) => `        ${line}\n`).join('');
  });
  return `Next:\n${listed.join('')}`;
}

type Pair = readonly [label: string, value: string];

const EDITED =
  'Already set up. hone.yaml was edited: see "hone config show", then "hone config accept".';

const NEW_STORE: Pair = ['Store', 'new: it has no earlier entry, token, stop or decision'];

const KEY_WORDS: Readonly<Record<SetUp['key'], string>> = {
  made: 'made',
  kept: 'kept',
  elsewhere: 'on the machine that made this ledger',
};

const TOKEN_WORDS =
  'shown only now. Put it into HONE_TOKEN for decisions that need proof of who you are, and to create other tokens. Keep it where your agents cannot read it, not in a shell that starts them.';

const tokenPairs = ({ secret }: NonNullable<SetUp['token']>): Pair[] => [
  ['Your token', secret],
  ['', TOKEN_WORDS],
];

function noTokenPairs({ actor }: SetUp): Pair[] {
  if (actor.kind === 'human') return [];
  const add = '"hone token add NAME --role operator"';
  return [['Token', `none: an agent runs this command. A person creates the first one: ${add}`]];
}
