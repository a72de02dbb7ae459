/** The syntax of the touched files (VAL-2) as a mode. */
import { shownPath } from '../../../git/index.ts';
import { extensionOf } from '../../candidate.ts';
import { schemaVerdicts } from '../../file-schemas.ts';
import { brokenLinks, pathsOf } from '../../markdown-links.ts';
import { shellVerdicts } from '../../shell-files.ts';
import { checkSyntax } from '../../syntax.ts';
import type { CandidateChange, ValidatePorts, ValidationMode } from '../../types.ts';

export const syntax: ValidationMode = {
  name: 'syntax',
  evidenceKinds: ['files'],
  assumes: ['The files are read as Hone reads them; the program that loads them may be stricter.'],
  runsChange: false,
  async judge(change, ports, signal) {
    const { outcome, reasons } = checkSyntax(change.files, {
      own: await shellVerdicts(change.files, ports.runner, signal),
      beside: await schemaVerdicts(change, ports.repository),
    });
    const broken = await linkReasons(change, ports);
    const isFailed = outcome === 'failed' || broken.length > 0;
    return {
      verdict: isFailed ? 'failed' : outcome,
      reasons: outcome === 'failed' || broken.length === 0 ? [...reasons, ...broken] : broken,
      ...{ improvesTarget: null, found: {} },
    };
  },
};

/** A link that the change adds and that leads nowhere, by file. */
async function linkReasons(
  { files, candidate }: CandidateChange,
  { repository }: Pick<ValidatePorts, 'repository'>,
): Promise<string[]> {
  const texts = files.filter(
    ({ path, after }) =>
      ['md', 'markdown'].includes(extensionOf(path)) && after?.text?.includes(']') === true,
  );
  if (texts.length === 0) return [];
  const paths = pathsOf(await repository.listFiles(candidate, ''));
  return texts.flatMap(({ path, before, after }) => {
    const sides = { before: before?.text ?? '', after: after!.text! };
    return brokenLinks(path, sides, paths).map(
      (target) => `${shownPath(path)} links to ${shownPath(target)}, which is not there.`,
    );
  });
}
