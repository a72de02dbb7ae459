/** A build. Of Hone's own run the exit code decides; a log that was handed in must at least tell of no error. */
import type { EvidenceValidator } from '../types.ts';

/** As compilers and package managers write them. A claimed log opens nothing that needs proof. */
const ERROR_LINE = /(?:^|\s)(?:error|fatal|ERR!)(?:\s*[:[]|\s+[A-Z]{2,}\d+|!)/im;

export const build: EvidenceValidator = {
  kind: 'build',
  about: 'the log of a build',
  mediaType: 'text/plain',
  judge({ text }, _, run) {
    const lines = text.split('\n').filter((line) => line.trim() !== '').length;
    if (run !== undefined) {
      const found = { lines, exitCode: run.exitCode ?? -1 };
      if (run.ended === 'exited' && run.exitCode === 0)
        return { isValid: true, problem: null, found };
      const how = run.ended === 'exited' ? `with exit code ${run.exitCode}` : `by ${run.ended}`;
      return { isValid: false, problem: `The build ended ${how}.`, found };
    }
    if (lines === 0) return { isValid: false, problem: 'The log is empty.', found: { lines } };
    const error = ERROR_LINE.exec(text)?.[0];
    if (error === undefined) return { isValid: true, problem: null, found: { lines } };
    return { isValid: false, problem: 'The log tells of an error.', found: { lines } };
  },
};
