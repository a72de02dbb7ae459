export { addToList } from './add-to-list.ts';
export { decodeText } from './decode-text.ts';
export { FORMATS, formatOf } from './formats.ts';
export { lineIndex, type TextPosition } from './line-index.ts';
export { numberOf } from './number-of.ts';
export { plainValues } from './plain-values.ts';
export { quantityOf } from './quantity.ts';
export { readDocument } from './read-document.ts';
export { type Replaced, replaceValue } from './replace-value.ts';
export { isShell, shellProblem } from './shell-syntax.ts';
export type {
  Declined,
  Document,
  DocumentValue,
  Entry,
  Format,
  Limits,
  ListNode,
  MapNode,
  Node,
  Place,
  Quantity,
  Reading,
  Scalar,
  Section,
  Step,
  Syntax,
  SyntaxMap,
  Unreadable,
} from './types.ts';
