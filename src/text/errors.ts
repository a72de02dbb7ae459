/** The text room's one error class. Text comes from outside, so its codes are refusals, not faults. */
import { HoneError } from '../base/index.ts';

export type TextErrorCode =
  /** Longer than the room reads; nothing was looked at. */
  | 'text_too_long'
  /** A saved state that cannot be read: another version, or not made by this room. */
  | 'state_unreadable'
  /** Something that is not a string was given where text is read. */
  | 'not_text';

export class TextError extends HoneError<TextErrorCode> {}
