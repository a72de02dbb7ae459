/**
 * What is remembered of a conversation to see that its user corrects the agent: no words, only numbers. A message is
 * compared with the one before (`corrections.ts`); an edit with those of earlier turns: one that takes an
 * earlier edit back, after the user spoke, says that the user wanted it back.
 */
import { type CorrectionType, DID, type Did, judge } from './corrections.ts';
import { numberFor } from './values.ts';
import { tokensOf, wordsOf } from './words.ts';

/** Of the edits that may be taken back. */
const EDITS_MAX = 24;
/** How far back somebody goes to ask again from there. */
const FORKS_MAX = 12;
/** Both were seen to happen for other reasons as well. */
const UNDONE_CERTAINTY = 0.75;
const RESTORED_CERTAINTY = 0.5;
/** Asked again at the same place of the conversation: the answer was thrown away. */
const AGAIN_CERTAINTY = 0.85;

/** The file, what stood there, what stands there now, and the turn. */
type Edit = readonly [file: number, before: number, after: number, turn: number];

/** Plain JSON: part of a decoder's state. */
export type Conversation = {
  readonly asked: readonly number[];
  readonly did: Did;
  /** What the agent said last ends as a question: a "no" is its answer. */
  readonly isQuestion: boolean;
  readonly turn: number;
  /** Someone already stopped or corrected the agent in this turn: said in two ways it is still once. */
  readonly isSettled: boolean;
  readonly edits: readonly Edit[];
  /** Behind which lines the user spoke. */
  readonly forks: readonly number[];
};

export const SILENT: Conversation = {
  asked: [],
  did: DID.nothing,
  isQuestion: false,
  turn: 0,
  isSettled: false,
  edits: [],
  forks: [],
};

/** Without a certainty it was stated outright. */
export interface Correction {
  readonly correction: CorrectionType;
  readonly certainty?: number;
}

export interface Heard {
  readonly talk: Conversation;
  readonly correction?: Correction;
}

export function acted(talk: Conversation, did: Did): Conversation {
  return talk.did >= did ? talk : { ...talk, did };
}

/** A message of the agent. */
export function told(talk: Conversation, text: string): Conversation {
  const isQuestion = /[?？]["'*_)\s]{0,8}$/.test(text.slice(-40));
  const next = acted(talk, DID.answered);
  return next.isQuestion === isQuestion ? next : { ...next, isQuestion };
}

/** A message of the user. `behind` is the line that it follows, where the format says so. */
export function heard(talk: Conversation, text: string, behind?: string): Heard {
  const { asked, did, isSettled, isQuestion: isAnswer } = talk;
  const fork = behind === undefined ? undefined : numberFor(behind);
  const isAgain = fork !== undefined && did !== DID.nothing && talk.forks.includes(fork);
  const judged = isSettled ? undefined : judge({ text, asked, did, isAnswer });
  const tokens = tokensOf(wordsOf(text));
  const next: Conversation = {
    ...talk,
    // "Yes" and "continue" do not change what was asked for.
    asked: tokens.length > 2 || asked.length === 0 ? tokens : asked,
    did: DID.nothing,
    isQuestion: false,
    turn: talk.turn + 1,
    isSettled: false,
    forks: fork === undefined || isAgain ? talk.forks : [...talk.forks, fork].slice(-FORKS_MAX),
  };
  if (isAgain && !isSettled) {
    const certainty = Math.max(AGAIN_CERTAINTY, judged?.certainty ?? 0);
    return settled(next, { correction: judged?.correction ?? 'rephrase', certainty });
  }
  if (judged === undefined) return { talk: next };
  // Less than likely: something else may still say it.
  return judged.certainty < 0.5 ? { talk: next, correction: judged } : settled(next, judged);
}

/** What the user did rather than said: interrupted, refused, rolled back. Once in a turn. */
export function stated(talk: Conversation, correction: Correction): Heard {
  return talk.isSettled ? { talk } : settled(talk, correction);
}

export function edited(talk: Conversation, file: string, before: string, after: string): Heard {
  const edit: Edit = [small(file), small(before), small(after), talk.turn];
  const edits = [...talk.edits, edit].slice(-EDITS_MAX);
  const next = { ...acted(talk, DID.edited), edits };
  return isUndone(talk, edit)
    ? stated(next, { correction: 'rephrase', certainty: UNDONE_CERTAINTY })
    : { talk: next };
}

function isUndone({ edits, turn }: Conversation, [file, before, after]: Edit): boolean {
  return edits.some(
    (one) => one[3] < turn && one[0] === file && one[1] === after && one[2] === before,
  );
}

const RESTORES =
  /\bgit (?:-C \S{1,200} )?(?:restore|revert|reset --hard|checkout (?:HEAD )?(?:--|\.)(?: |$))/;

/** A command that takes files back which the agent edited before the user spoke. */
export function ran(talk: Conversation, command: string): Heard {
  const next = acted(talk, DID.ran);
  const hadEdits = talk.edits.some(([, , , turn]) => turn < talk.turn);
  return hadEdits && RESTORES.test(command.slice(0, 500))
    ? stated(next, { correction: 'rephrase', certainty: RESTORED_CERTAINTY })
    : { talk: next };
}

function settled(talk: Conversation, correction: Correction): Heard {
  return { talk: { ...talk, isSettled: true }, correction };
}

/** Equal by chance once in four billion. */
function small(text: string): number {
  return numberFor(text) % 0x1_0000_0000;
}
