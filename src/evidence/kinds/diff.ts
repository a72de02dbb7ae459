/** A change of text files, in git's format, that changes something. */
import { parsePatch } from '../../git/index.ts';
import type { EvidenceValidator } from '../types.ts';

export const diff: EvidenceValidator = {
  kind: 'diff',
  about: 'a diff in git’s format',
  mediaType: 'text/x-diff',
  judge({ text }) {
    if (text.trim() === '')
      return { isValid: false, problem: 'Nothing was changed.', found: { files: 0 } };
    // Hone's own diff shows a binary file in one line, which no patch has.
    const parsed = parsePatch(
      text.replace(/^diff --git .*\n(?:(?!diff --git ).*\n)*?Binary files .*\n/gm, ''),
    );
    const files = [...text.matchAll(/^diff --git /gm)].length;
    if (parsed.ok || (files > 0 && parsed.why === 'the patch is empty'))
      return { isValid: true, problem: null, found: { files } };
    return {
      isValid: false,
      problem: `It is cut off, or it is no diff of git’s: ${parsed.why}.`,
      found: { files },
    };
  },
};
