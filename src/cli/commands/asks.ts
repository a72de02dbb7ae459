/** `hone asks list|show` and `hone gateway tools|show|accept`: what waits for a person before a tool is called. */
import { listAsks, showAsk } from '../../app/asks.ts';
import { acceptTool, listTools, showTool } from '../../app/pinned-tools.ts';
import type { AskList, ToolAcceptInput } from '../../contracts/ask.ts';
import { answer } from '../answer.ts';
import type { Context } from '../context.ts';
import { plainLine } from '../io.ts';
import { fields, table, wrap } from '../layout.ts';
import { duration } from '../quantities.ts';
import { shownLines } from '../shown.ts';

/** Enough to compare. */
const DIGEST_SHOWN = 'sha256:'.length + 12;
const when = (at: string) => at.slice(0, 16).replace('T', ' ');

export function asksList(
  context: Context,
  options: { all?: boolean; limit: number },
): Promise<number> {
  const { columns } = context.io;
  const input = { all: options.all === true, limit: options.limit };
  return answer(context, listAsks(context, input), ({ asks, tasks, answers }) => {
    const times = timesText(answers, columns);
    if (asks.length + tasks.length === 0) return `Nothing waits for an answer.\n${times}`;
    const about = tasks.map(({ id, title, phase, why, digest }) =>
      [
        wrap(`${id} in ${phase}: ${plainLine(title)}. ${plainLine(why)}`, columns),
        `  hone task show ${id}\n`,
        `  hone approve ${id} --digest ${digest.slice(0, DIGEST_SHOWN)} --reason "…"\n`,
      ].join(''),
    );
    if (asks.length === 0) return about.join('') + times;
    const rows = asks.map(({ id, state, tool, askedAt, why }) => [
      id,
      state,
      plainLine(tool),
      when(askedAt),
      plainLine(why),
    ]);
    const head = ['ID', 'STATE', 'TOOL', 'ASKED', 'WHY'];
    return table({ head, rows, isLastProse: true }, columns) + about.join('') + times;
  });
}

function timesText(
  { answered, unanswered, medianMs, aimMs }: AskList['answers'],
  columns: number,
): string {
  if (answered + unanswered === 0) return '';
  const half =
    medianMs === null
      ? 'fewer than half were answered at all'
      : `half were answered within ${duration(medianMs)}`;
  const over = unanswered === 0 ? '' : ` ${unanswered} ran out without an answer.`;
  return wrap(
    `Of ${answered + unanswered} questions about calls in 30 days ${half} (aim: ${duration(aimMs)}).${over}`,
    columns,
  );
}

export function asksShow(context: Context, given: string): Promise<number> {
  const { columns } = context.io;
  return answer(context, showAsk(context, given), (ask) => {
    const by = ask.answeredBy === null ? '-' : `${plainLine(ask.answeredBy)} (${ask.verified})`;
    const rows: [string, string][] = [
      ['Question', ask.id],
      ['State', ask.state],
      ['Tool', plainLine(ask.tool)],
      ['Agent', plainLine(ask.agent)],
      ['Task', ask.task ?? '-'],
      ['Session', ask.session ?? '-'],
      ['Digest', ask.digest],
      ['Asked', `${when(ask.askedAt)} UTC`],
      ['Expires', `${when(ask.expiresAt)} UTC`],
      ['Answered by', by],
    ];
    return [
      fields(rows, columns),
      wrap(plainLine(ask.why), columns),
      `Arguments\n${shownLines(ask.arguments)}\n`,
      ...ask.commands.map((command) => `  ${command}\n`),
    ].join('');
  });
}

export function gatewayTools(context: Context): Promise<number> {
  return answer(context, listTools(context), ({ tools, uncontracted }) => {
    if (tools.length === 0) return 'No tool was seen behind the gateway yet.\n';
    const rows = tools.map(({ tool, risk, digest, offered, pinnedAt }) => [
      plainLine(tool),
      risk ?? 'NO CONTRACT',
      digest.slice(0, 19),
      when(pinnedAt),
      offered === null ? '' : `CHANGED to ${offered.slice(0, 19)}`,
    ]);
    const { columns } = context.io;
    const listed = table({ head: ['TOOL', 'RISK', 'DIGEST', 'PINNED', ''], rows }, columns);
    if (uncontracted === 0) return listed;
    const text = `${uncontracted} of ${tools.length} have no contract: nobody has said how risky they are, so no call of them passes by itself. Add them to gateway.contracts in hone.yaml.`;
    return listed + wrap(text, columns);
  });
}

export function gatewayShow(context: Context, name: string): Promise<number> {
  const { columns } = context.io;
  return answer(context, showTool(context, name), (shown) => {
    const pinned = `${fields(
      [
        ['Tool', plainLine(shown.tool)],
        ['Digest', shown.digest],
      ],
      columns,
    )}${shownLines(shown.definition)}\n`;
    if (shown.offeredDefinition === null) return pinned;
    return [
      pinned,
      '\n',
      wrap('The server changed it. Hidden and refused until somebody accepts this:', columns),
      `${shownLines(shown.offeredDefinition)}\n`,
      `  hone gateway accept ${shown.tool} --digest ${shown.offered!.slice(0, 19)} --reason "…"\n`,
    ].join('');
  });
}

export function gatewayAccept(
  context: Context,
  name: string,
  options: ToolAcceptInput,
): Promise<number> {
  return answer(
    context,
    acceptTool(context, name, options),
    ({ tool, digest }) => `${plainLine(tool)} is pinned to ${digest.slice(0, 19)}.\n`,
  );
}
