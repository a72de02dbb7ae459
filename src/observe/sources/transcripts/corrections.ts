/**
 * Whether a message corrects what the agent did, and how sure that is. No single sign says it: people correct
 * in every language, and "no" also begins "no problem". So weak cues are combined.
 *
 *   1. Precondition: the agent did something since the last message. Otherwise there is nothing to correct.
 *   2. Each cue that is found has a weight, about the share of messages with it that are corrections. Cues that
 *      need no words come first: the same request again; pasted errors; outcry. Words are few, in several languages.
 *   3. They are taken as independent: certainty = 1 − Π (1 − weight).
 *   4. Approval at the beginning, and a plain question, speak against it: the certainty is multiplied by less than 1.
 *
 * Below .5 the room keeps it without counting it; below `CERTAINTY_MIN` it is not reported. The weights were
 * chosen by eye on 34 written dialogues and checked on 34 others (`corrections.test.ts`), not fitted: people who
 * write differently get other certainties, mostly lower ones. What stays unseen: corrections that
 * only somebody who knows the task recognises ("shorter please").
 */
import type { CORRECTION_TYPES } from '../../../facts/index.ts';
import { coverage, tokensOf, wordsOf } from './words.ts';

const CERTAINTY_MIN = 0.3;

/** What the agent did since the last message, each more than the one before. */
export const DID = { nothing: 0, answered: 1, ran: 2, edited: 3 } as const;
export type Did = (typeof DID)[keyof typeof DID];

export type CorrectionType = (typeof CORRECTION_TYPES)[number];

export interface Judged {
  readonly correction: CorrectionType;
  readonly certainty: number;
}

export interface Said {
  readonly text: string;
  /** Tokens of the request before. */
  readonly asked: readonly number[];
  readonly did: Did;
  /** Whether the agent had asked something. */
  readonly isAnswer: boolean;
}

/** Whoever pastes more than this is not only correcting. */
const TEXT_CHARS_MAX = 8000;
/** Fewer words ("continue", "run it") are repeated for other reasons. */
const REPEATED_WORDS_MIN = 3;

const set = (words: string) => new Set(words.split(' '));
/** At the beginning of a message. */
const NO = set(
  'no nope nah nein non não nao nej нет いいえ 違い ちが 不是 不对 아니 아니요 아냐 hayır',
);
/** The same, where it turns down what follows. */
const DO_NOT = set("not dont don't never nicht pas не 不要");
/** Alone, or before a pause: "stop the server" is a task. */
const HALT = /^\s{0,20}(?:stop|wait|stopp|halt|warte|arrête|para|стоп|停)\s{0,3}(?:[,.!:;–—-]|$)/i;
/** Behind the first word: "no, …" turns something down, "no tests exist" tells of something. */
const PAUSE = /^\s{0,20}[^\s,.!:;–—、。！]{1,20}\s{0,2}(?:[,.!:;–—、。！]|-\s|$)/;
/** Behind a "no" that is none. */
const HARMLESS = set(
  'problem need worries idea rush thanks thank sure bad yet hurry questions hay hace',
);
const NOT = set('not nicht kein keine pas não non no не bukan değil');
const WRONG = set(
  'wrong incorrect broken mistake falsch verkehrt faux incorrecto mal errado неправильно 错了 错误 間違',
);
const STILL = set(
  'still immer toujours encore sigue todavía ainda ancora все 仍然 还是 まだ 여전히',
);
const UNDO = set(
  'undo revert rollback restore rückgängig zurücksetzen annule annuler rétablis deshacer deshaz revierte desfaz отмени 撤销 恢复 戻し',
);
const ACTUALLY = set('actually hmm eigentlich moment en realidad');
const INSTEAD = set('instead rather stattdessen plutôt lugar invés вместо 而是');
const MEANT = set(
  'meant asked said wanted meinte sagte wollte voulais dit demandé quise dije pedí хотел 我说 我要 言っ',
);
const THEY = set('i ich je yo eu я');
const YOU = set('you du sie vous tu ты вы usted');
const APPROVAL = set(
  'great thanks thank nice good ok okay yes yep perfect cool looks lgtm awesome excellent danke gut super prima ja parfait merci oui bien gracias perfecto sí obrigado sim спасибо да хорошо 好的 谢谢 很好 あり 네 감사',
);

/** A frame of a stack, or a line that names an error, as languages print them. */
const FRAME =
  /^\s{0,40}(?:at |File "|#\d|from |in )\S|^(?:\w{1,60}\.)?\w{0,60}(?:Error|Exception|Traceback|panic)\b|:\d{1,6}:\d{1,6}\b/;
const FRAMES_MIN = 2;
const LINES_MAX = 60;
const OUTCRY = /!!|\?\?|\?!|!\?/;
const SHOUT = /(?:^|[\s.,!?])[A-Z]{3,12}(?=[\s.,!?]|$)/;
/** ", not": what follows is what was done, and should not have been. */
const CONTRAST = /[,;:–—-]\s{0,3}(?:not|nicht|kein|keine|pas|no|não|не) /i;

/** Undefined if nothing speaks for a correction. */
export function judge(all: Said): Judged | undefined {
  if (all.did === DID.nothing) return undefined;
  const said = { ...all, text: all.text.slice(0, TEXT_CHARS_MAX) };
  const words = wordsOf(said.text);
  if (words.length === 0) return undefined;
  const tokens = tokensOf(words);
  const again = said.asked.length >= REPEATED_WORDS_MIN ? coverage(said.asked, tokens) : 0;
  const weights = [...wordlessCues(said, again), ...wordCues(said, words)];
  const certainty =
    (1 - weights.reduce((left, weight) => left * (1 - weight), 1)) *
    against(said.text, words, again);
  if (certainty < CERTAINTY_MIN) return undefined;
  const isSame = again === 1 && tokens.length === said.asked.length;
  return {
    correction: isSame ? 'retry' : 'rephrase',
    certainty: Math.round(certainty * 100) / 100,
  };
}

function wordlessCues({ text, did }: Said, again: number): number[] {
  const weights: number[] = [];
  // All words of the request again. With one of ten exchanged it is more often the next request of the same kind.
  if (again === 1) weights.push(0.75);
  else if (again >= 0.9) weights.push(0.4);
  // What the agent made does not work.
  if (did >= DID.ran && framesOf(text) >= FRAMES_MIN) weights.push(0.5);
  if (OUTCRY.test(text) || SHOUT.test(text)) weights.push(0.25);
  return weights;
}

function wordCues({ text, did, isAnswer }: Said, words: readonly string[]): number[] {
  const weights: number[] = [];
  const [first = '', second = ''] = words;
  const start = words.slice(0, 8);
  const has = (wanted: ReadonlySet<string>) => start.some((word) => wanted.has(word));
  const isNo = NO.has(first) && !HARMLESS.has(second);
  if (HALT.test(text) || DO_NOT.has(first)) weights.push(0.55);
  else if (isNo && isAnswer) weights.push(0.1);
  else if (isNo) weights.push(PAUSE.test(text) ? 0.6 : 0.35);
  else if (start.slice(1).some((word) => NOT.has(word) || word.endsWith("n't"))) weights.push(0.3);
  if (CONTRAST.test(text.slice(0, 400))) weights.push(0.35);
  if (has(WRONG)) weights.push(0.5);
  if (has(STILL)) weights.push(0.5);
  if (did === DID.edited && has(UNDO)) weights.push(0.55);
  if (ACTUALLY.has(first)) weights.push(0.3);
  if (has(INSTEAD)) weights.push(0.35);
  if (has(MEANT) && has(THEY)) weights.push(0.45);
  if (YOU.has(first) || (has(YOU) && text.includes('?') && OUTCRY.test(text))) weights.push(0.3);
  return weights;
}

/** The factor of what speaks against it. */
function against(text: string, words: readonly string[], again: number): number {
  const approves = APPROVAL.has(words[0]!) && !words.slice(1, 6).some((word) => word === 'but');
  const asks = /[?？]\s*$/.test(text.slice(-20)) && !OUTCRY.test(text) && again < 0.9;
  return (approves ? 0.3 : 1) * (asks ? 0.6 : 1);
}

function framesOf(text: string): number {
  let frames = 0;
  for (const line of text.split('\n', LINES_MAX)) if (FRAME.test(line.slice(0, 300))) frames += 1;
  return frames;
}
