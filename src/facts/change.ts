/** What a proposal changes in the target, and how two changes are compared. */
import type { z } from 'zod';
import { sha256Hex } from '../base/index.ts';
import type { changeSchema } from './change-schema.ts';

export type Change = z.infer<typeof changeSchema>;

const PLACE_CHARS_MAX = 400;
const TEXT_CHARS_MAX = 60;
/** Control, invisible and direction-changing characters, halves of characters, and blanks that a line would lose. */
const NOT_PLAIN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\s{2,}|^\s|\s$/u;

/**
 * `agents/a.yaml#tools.web_search.timeout_ms up`: the same for the same fix, whatever the numbers are. A fix that
 * failed is not tried again for its pattern. Names of files and keys are attacker-controlled and not masked here.
 */
export function changeKey(change: Change): string {
  return `${changePlace(change)} ${directionOf(change)}`;
}

/** `agents/a.yaml#tools.web_search.timeout_ms`: what a key begins with. */
export function changePlace(change: Change): string {
  return plain(placeOf(change), PLACE_CHARS_MAX);
}

/** Whether two changes touch one place, or one a part of the other's, in whatever direction: both cannot be judged at once. */
export function samePlace(one: Change, other: Change): boolean {
  if (one.kind !== 'edit_text' || other.kind !== 'edit_text')
    return placeOf(one) === placeOf(other);
  const [outer, inner] = [one.section, other.section].sort((a, b) => a.length - b.length);
  return one.file === other.file && outer!.every((part, at) => part === inner![at]);
}

function placeOf(change: Change): string {
  switch (change.kind) {
    case 'set_value':
      return `${change.file}#${change.path.map(keyText).join('.')}`;
    case 'edit_text':
      return `${change.file}#${change.section.map(keyText).join('.')}`;
    case 'edit_code':
      return `${change.file}#${keyText(change.symbol)}`;
    case 'add_file':
      return change.file;
  }
}

function directionOf(change: Change): string {
  switch (change.kind) {
    case 'set_value': {
      const { to } = change;
      const step = stepOf(change);
      if (step !== undefined) return step.to > step.from ? 'up' : 'down';
      if (typeof to === 'boolean') return to ? 'on' : 'off';
      return `to ${plain(JSON.stringify(to), TEXT_CHARS_MAX)}`;
    }
    case 'edit_text':
      return change.edit;
    case 'edit_code':
      return 'edit';
    case 'add_file':
      return 'add';
  }
}

/** From and to which amount a value moved. */
export interface Step {
  readonly from: number;
  readonly to: number;
}

/** "30s", "250000": a number, and what it counts. */
const AMOUNT = /^\s*([+-]?\d+(?:\.\d+)?)\s*([a-zA-Zµ%]*)\s*$/;

/** Undefined where nothing was moved from one amount to another of the same kind. */
export function stepOf(change: Change): Step | undefined {
  if (change.kind !== 'set_value') return undefined;
  const [from, to] = [amountOf(change.from), amountOf(change.to)];
  if (from === undefined || to === undefined || from.unit !== to.unit || from.value === to.value)
    return undefined;
  return { from: from.value, to: to.value };
}

function amountOf(value: unknown): { readonly value: number; readonly unit: string } | undefined {
  if (typeof value === 'number') return { value, unit: '' };
  const [, digits, unit] = typeof value === 'string' ? (AMOUNT.exec(value) ?? []) : [];
  return digits === undefined ? undefined : { value: Number(digits), unit: unit! };
}

/** Sizes are in proportion: from 100 to 400 is twice the step from 100 to 200. From nothing it is the difference. */
const sizeOf = ({ from, to }: Step) =>
  from > 0 && to > 0 ? Math.abs(Math.log(to / from)) : Math.abs(to - from);

/**
 * Whether a change that goes the same way is at least as large as a step that was tried; also where either is not known. The
 * same failures give a slightly other value each day, so what is not much smaller counts as large: more than half of it, or
 * as far as it went.
 */
export function isAsLarge(change: Change, tried: Step | undefined): boolean {
  const step = stepOf(change);
  if (tried === undefined || step === undefined) return true;
  const isUp = tried.to > tried.from;
  return (isUp ? step.to >= tried.to : step.to <= tried.to) || sizeOf(step) > sizeOf(tried) / 2;
}

/** Quoted where a dot or another character would make it a different path. */
function keyText(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** Text that is too long or hides something stays unique by its hash. */
function plain(text: string, max: number): string {
  if (text.length <= max && !NOT_PLAIN.test(text)) return text;
  const shown = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return `${shown.slice(0, max - 17).toWellFormed()} ${sha256Hex(text.toWellFormed()).slice(0, 16)}`;
}
