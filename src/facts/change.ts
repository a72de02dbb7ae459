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

/** Whether two changes touch one place, in whatever direction: both cannot be judged at once. */
export function samePlace(one: Change, other: Change): boolean {
  return placeOf(one) === placeOf(other);
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
      const { from, to } = change;
      if (typeof from === 'number' && typeof to === 'number') return to > from ? 'up' : 'down';
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
