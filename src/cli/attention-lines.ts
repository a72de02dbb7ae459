/** What needs a person, in words for `hone status`. */
import type { Status } from '../contracts/status.ts';
import { plainLine } from './io.ts';

type Attention = Pick<
  Status,
  'operators' | 'firstOperatorMissing' | 'tokensReset' | 'waiting' | 'needsPerson'
>;

const WORDS_MAX = 300;

/** The loudest first. */
export function attentionLines(shown: Attention): string[] {
  return [...tokenLines(shown), ...shown.needsPerson.map(needLine), ...waitingLines(shown.waiting)];
}

function tokenLines({ tokensReset, operators, firstOperatorMissing }: Attention): string[] {
  const reset =
    tokensReset === null
      ? []
      : [
          `THE OPERATORS’ TOKENS WERE RESET on ${tokensReset.at.slice(0, 16).replace('T', ' ')} by ${words(tokensReset.by)}: ${words(tokensReset.reason)}. The new one is ${tokensReset.name}. If none of you did this, run "hone stop-all".`,
        ];
  if (firstOperatorMissing) {
    return [...reset, 'There is no operator yet. Run "hone token add NAME --role operator".'];
  }
  if (operators > 0) return reset;
  return [...reset, 'Every operator’s token is revoked. Run "hone token reset" to get a new one.'];
}

function needLine({ proposal, title, need, why }: Attention['needsPerson'][number]): string {
  switch (need) {
    case 'settle':
      return `NOT taken back; a person has to do it: ${words(title)} (${proposal}). Then run "hone settle ${proposal} --reverted", or "--kept", with --reason.`;
    case 'decide':
      return `Needs a person: ${words(title)} (${proposal}). "hone proposals show ${proposal}" says why.`;
    case 'roll_back':
      return `SEEMS TO DO HARM: ${words(title)}. ${words(why ?? '')} Run: hone rollback ${proposal} --reason "it does harm"`;
    case 'release':
      return `Held back until a person looks: ${words(title)}. "hone proposals show ${proposal}".`;
  }
}

const SHOWN_MAX = 5;

function waitingLines(waiting: Attention['waiting']): string[] {
  const lines = waiting
    .slice(0, SHOWN_MAX)
    .map(({ proposal, state, why }) => `${proposal} is ${state} and waits: ${words(why)}`);
  const left = waiting.length - SHOWN_MAX;
  return left > 0 ? [...lines, `${left} more wait: see "hone proposals list".`] : lines;
}

const words = (text: string) => plainLine(text).slice(0, WORDS_MAX);
