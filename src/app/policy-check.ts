/** The policy pack on a patch, a range of commits, or what is staged: for any CI, with nothing set up. */

import { composeSections, parseConfig } from '../config/index.ts';
import type { CheckEditInput } from '../contracts/decision.ts';
import type { PolicyCheck } from '../contracts/policy.ts';
import { type CommitId, GitError, openRepository, type TargetRepository } from '../git/index.ts';
import { type HoneConfig, honeSections } from '../loop/index.ts';
import { dossierOf } from '../proposal/index.ts';
import { checkPatch, DEFAULT_FORBIDDEN_PATHS, type PatchRules } from '../validate/index.ts';
import { type AppContext, withLoop } from './context.ts';
import { findProposal } from './find-proposal.ts';
import { givenPatch } from './given-patch.ts';
import { commitOf, readGit as git } from './read-git.ts';
import { type Refusal, usage } from './refusal.ts';

export interface PolicyCheckInput {
  /** A file with a patch, or `-`. */
  readonly diff?: string;
  /** `base..head`. */
  readonly range?: string;
  readonly staged?: boolean;
}

export async function checkPolicies(
  context: AppContext,
  input: PolicyCheckInput,
  stdin: AsyncIterable<string>,
): Promise<PolicyCheck | Refusal> {
  const given = [input.diff, input.range, input.staged || undefined].filter(
    (one) => one !== undefined,
  );
  if (given.length !== 1) return usage('Give one of --diff, --range and --staged.');
  await using repository = await openRepository({ root: context.cwd, durable: false });
  try {
    const patch = await patchOf(context, input, { repository, stdin });
    if ('refused' in patch) return patch;
    const { files, findings } = await checkPatch(
      patch,
      repository,
      await rulesFor(context, repository, patch.base),
    );
    return { files, findings: findings.map((one) => ({ ...one })) };
  } catch (error) {
    if (error instanceof GitError) return usage(error.message);
    throw error;
  }
}

/** What the policy would say of an edited diff, on the proposal's own base. Nothing is kept of it. */
export function checkEdit(
  context: AppContext,
  given: string,
  { diff }: CheckEditInput,
): Promise<PolicyCheck> {
  return withLoop(context, {}, async ({ store, config }, { ports }) => {
    const { content } = await dossierOf(store, await findProposal(store, given));
    const patch = { base: content.baseCommit as CommitId, diff };
    const { files, findings } = await checkPatch(patch, ports.repository, rulesBy(config));
    return { files, findings: findings.map((one) => ({ ...one })) };
  });
}

/** Never fewer paths than the shipped ones. */
function rulesBy({ validate, target, policy }: HoneConfig): PatchRules {
  const { filesMax, changedLinesMax, testsFor, licences } = policy.check;
  return {
    forbiddenPaths: [...new Set([...DEFAULT_FORBIDDEN_PATHS, ...validate.forbiddenPaths])],
    agentFiles: target.agentFiles,
    caps: { filesMax, changedLinesMax },
    testsFor,
    licences,
  };
}

/** Of the installation here; in a CI, where there is none, of the base's own hone.yaml, which the patch did not write. */
async function rulesFor(
  context: AppContext,
  repository: TargetRepository,
  base: CommitId,
): Promise<PatchRules> {
  try {
    const opened = await context.open();
    await opened.close();
    return rulesBy(opened.config);
  } catch {
    const schema = composeSections(honeSections);
    const given = parseConfig((await repository.readFile(base, FILE)) ?? '', FILE, schema);
    return rulesBy(given.ok ? given.config : schema.parse({}));
  }
}

const FILE = 'hone.yaml';

type Patch = { readonly base: CommitId; readonly diff: string };

async function patchOf(
  context: AppContext,
  { diff, range }: PolicyCheckInput,
  { repository, stdin }: { repository: TargetRepository; stdin: AsyncIterable<string> },
): Promise<Patch | Refusal> {
  if (range !== undefined) {
    const [from, to, ...more] = range.split(/\.{2,3}/);
    if (from === undefined || to === undefined || more.length > 0)
      return usage('Write the range as base..head.');
    const [base, head] = [await commitOf(context, from), await commitOf(context, to || 'HEAD')];
    if (base === undefined || head === undefined)
      return usage(`There is no commit ${base === undefined ? from : to}.`);
    return { base, diff: await repository.diff(base, head) };
  }
  const base = await commitOf(context, 'HEAD');
  if (base === undefined) return usage('There is no commit here yet.');
  if (diff === undefined) return { base, diff: await git(context, STAGED) };
  return { base, diff: await givenPatch(context, diff, stdin) };
}

/** As `repository.diff` writes it. */
const STAGED = [
  'diff',
  '--cached',
  '--no-renames',
  '--full-index',
  '--no-prefix',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  // What the repository's own settings would leave out.
  '--ignore-submodules=none',
  '--no-relative',
  '-O/dev/null',
];
