/** Names are chosen by whoever writes files: one may hold line breaks, or marks that turn text around. */
const NAME_CHARS_MAX = 200;

/** On one line, as people are shown it. It was sanitised before. */
export function shownName(name: string): string {
  const shown = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�');
  return shown.length <= NAME_CHARS_MAX ? shown : `${shown.slice(0, NAME_CHARS_MAX - 1)}…`;
}
