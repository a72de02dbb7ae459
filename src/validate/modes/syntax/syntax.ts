/** The syntax of the touched files (VAL-2) as a mode. */
import { checkSyntax } from '../../syntax.ts';
import type { ValidationMode } from '../../types.ts';

export const syntax: ValidationMode = {
  name: 'syntax',
  evidenceKinds: ['files'],
  assumes: ['The files are read as Hone reads them; the program that loads them may be stricter.'],
  runsChange: false,
  async judge({ files }) {
    const { outcome: verdict, reasons } = checkSyntax(files);
    return { verdict, reasons, improvesTarget: null, found: {} };
  },
};
