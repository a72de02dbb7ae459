/** Reads what the policy tests ask beside the change, as far as this change makes them ask. */
import { judgingFile } from '../policy/index.ts';
import { replacesName } from './argument-lists.ts';
import { readGateFiles } from './gate-files.ts';
import { readNames } from './known-names.ts';
import { type PolicyContext, policyContext } from './policy-context.ts';
import { privilegeAsks } from './privilege-tests.ts';
import { structureChanges } from './structure-changes.ts';
import { replacedNames } from './tool-definitions.ts';
import type { CandidateChange, TouchedFile, ValidatePorts } from './types.ts';

export async function readContext(
  { dossier, base, files }: Pick<CandidateChange, 'dossier' | 'base' | 'files'>,
  ports: Pick<ValidatePorts, 'repository' | 'agentFiles' | 'settings' | 'calls'>,
): Promise<PolicyContext> {
  const { repository, agentFiles, settings } = ports;
  const { forbiddenPaths, prepare, test, eval: evaluate, replay } = settings;
  const known = policyContext({ forbiddenPaths, agentFiles });
  const commands = [prepare, test, evaluate, ...(Array.isArray(replay) ? [replay] : [])];
  // A person may propose to change a gate, and another one decides.
  const isGuessed =
    dossier.content.proposer.kind !== 'human' &&
    files.some(({ path }) => judgingFile(path, agentFiles)?.isSure === false);
  const replaced = files.flatMap(replacedNames);
  return {
    ...known,
    ...(isGuessed ? { gates: await readGateFiles({ repository, base, commands }) } : {}),
    ...(replaced.length > 0 || files.some(hasNewItem) || isUnclear(files, known)
      ? {
          names: await readNames(
            { repository, base, agentFiles, touched: files.map(({ path }) => path), replaced },
            (tools) => ports.calls(dossier, tools),
          ),
        }
      : {}),
  };
}

function hasNewItem(file: TouchedFile): boolean {
  const compared = structureChanges(file);
  return compared?.ok === true && compared.changes.some(replacesName);
}

export function isUnclear(files: readonly TouchedFile[], context: PolicyContext): boolean {
  return files.some((file) => privilegeAsks(file, context).length > 0);
}
