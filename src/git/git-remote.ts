/**
 * A remote of the target repository: asked where its refs are, fetched from and pushed to. What is fetched is kept by
 * refs of Hone's own (`refs/hone/remote/…`); the user's branches, remote-tracking refs and working tree stay as they
 * are. A push names the value that it expects at the remote, and the remote compares and replaces under its own lock.
 */
import { GitError } from './errors.ts';
import type { GitOutput, GitProcesses } from './git-processes.ts';
import type { Workbench } from './hermetic.ts';
import { targetSetting } from './linked-refs.ts';
import { isId, type ObjectFormat } from './objects.ts';
import { movableRefProblem, shownPath } from './paths.ts';
import { refuseRef } from './refusals.ts';
import { type RemoteCredentials, remoteEnvironment, remoteSettings } from './remote-access.ts';
import { isRemoteName, type RemoteAddress, readAddress } from './remote-address.ts';
import type { CommitId, GitRemote, Push, Pushed, RefName, TargetRepository } from './types.ts';

export interface RemoteOptions extends RemoteCredentials {
  /** The name of a remote of the target, or an address. */
  readonly remote: string;
  /** What is given as the password over https, such as a token that lives an hour; instead of a credential helper. */
  password?(): Promise<string>;
}

export interface RemoteParts {
  readonly repository: Pick<TargetRepository, 'resolve' | 'moveRef' | 'commitInfo'>;
  /** Of its own: a remote that hangs must not hold up work on objects. */
  readonly processes: GitProcesses;
  readonly bench: Workbench;
  readonly gitFolder: string;
  readonly format: ObjectFormat;
}

/** Where the value of a remote's ref is kept in the target repository. */
const keptAt = (ref: RefName): RefName => `refs/hone/remote/${ref.slice('refs/'.length)}`;

export class RemoteOfTarget implements GitRemote {
  readonly #parts: RemoteParts;
  readonly #options: RemoteOptions;

  constructor(parts: RemoteParts, options: RemoteOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  async address(): Promise<string> {
    return (await this.#address()).text;
  }

  async resolve(ref: RefName): Promise<CommitId | undefined> {
    refuseRef(ref, movableRefProblem(ref));
    const { repository } = this.#parts;
    const [found, kept] = [await this.#listed(ref), await this.seen(ref)];
    if (found === kept) return found;
    if (found === undefined) await repository.moveRef(keptAt(ref), null, kept);
    else await this.#fetch(ref, found, kept);
    return found;
  }

  async seen(ref: RefName): Promise<CommitId | undefined> {
    return this.#parts.repository.resolve(keptAt(ref));
  }

  async push({ ref, from, to, isTrial = false }: Push): Promise<Pushed> {
    refuseRef(ref, movableRefProblem(ref));
    await this.#parts.repository.commitInfo(to);
    const trial = isTrial ? ['--dry-run'] : [];
    const lease = `--force-with-lease=${ref}:${from ?? ''}`;
    const args = ['push', '--porcelain', '--no-verify', '--no-signed', ...trial, lease];
    const output = await this.#run([...args], [`${to}:${ref}`]);
    // `<flag>\t<from>:<to>\t<summary>`: by the flag, not by git's words.
    const line = output.stdout
      .toString('utf8')
      .split('\n')
      .find((one) => one.split('\t')[1]?.endsWith(`:${ref}`));
    if (line === undefined) throw this.#failed('push', output);
    if (line.startsWith('='))
      return from === to ? { pushed: true } : { pushed: false, why: 'moved', words: '' };
    if (line.startsWith('!')) return this.#refusal({ ref, from }, line, output);
    if (!isTrial) await this.#keep(ref, to);
    return { pushed: true };
  }

  /** Somebody was faster, or the remote does not allow it: the ref itself tells, not git's words. */
  async #refusal(
    { ref, from }: Pick<Push, 'ref' | 'from'>,
    line: string,
    output: GitOutput,
  ): Promise<Pushed> {
    if ((await this.#listed(ref)) !== from) return { pushed: false, why: 'moved', words: '' };
    const remote = output.stderr.split('\n').filter((one) => one.startsWith('remote:'));
    const words = [line.split('\t')[2] ?? '', ...remote.map((one) => one.slice(7).trim())];
    return { pushed: false, why: 'refused', words: words.filter((one) => one !== '').join(' ') };
  }

  /** The remote's own answer, for exactly this name. */
  async #listed(ref: RefName): Promise<CommitId | undefined> {
    const output = await this.#run(['ls-remote', '--refs'], [ref]);
    if (output.exit !== 0) throw this.#failed('ls-remote', output);
    const lines = output.stdout.toString('utf8').split('\n');
    const id = lines.map((one) => one.split('\t')).find(([, name]) => name === ref)?.[0];
    if (id === undefined || isId(id, this.#parts.format)) return id;
    throw new GitError(
      'remote_failed',
      `${await this.#name()} has another object format than the target.`,
    );
  }

  async #fetch(ref: RefName, wanted: CommitId, kept: CommitId | undefined): Promise<void> {
    const own = await this.#parts.repository.resolve(ref).catch(() => undefined);
    const tips = [...new Set([kept, own])].filter((one) => one !== undefined);
    await this.#know(tips);
    const args = [
      'fetch',
      ...['--no-tags', '--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules'],
      ...['--refmap=', '--quiet', ...tips.map((tip) => `--negotiation-tip=${tip}`)],
    ];
    const output = await this.#run(args, [ref]);
    if (output.exit !== 0) throw this.#failed('fetch', output);
    // Moved on since it was listed: what was asked for came along, unless history was rewritten in between.
    await this.#parts.repository.commitInfo(wanted);
    await this.#keep(ref, wanted);
  }

  /** The workbench names what the target has, so that git does not walk all of history to check what came. */
  async #know(tips: readonly CommitId[]): Promise<void> {
    const input = tips.map((tip, at) => `update refs/known/${at} ${tip}\n`).join('');
    if (input === '') return;
    const { bench, processes } = this.#parts;
    const args = ['update-ref', '--stdin'];
    await processes.run({ args, env: bench.objects, cwd: bench.folder, input });
  }

  /** From wherever it is: only Hone writes there, and the newest answer counts. */
  async #keep(ref: RefName, commit: CommitId): Promise<void> {
    const { repository } = this.#parts;
    const kept = await repository.resolve(keptAt(ref));
    // Refused: another process was faster, and knows as much.
    if (kept !== commit) await repository.moveRef(keptAt(ref), commit, kept);
  }

  async #run(command: readonly string[], specs: readonly string[]): Promise<GitOutput> {
    const { processes, bench } = this.#parts;
    const address = await this.#address();
    const { password: given, ...credentials } = this.#options;
    const isAsked = address.protocol === 'https' || address.protocol === 'http';
    const password = isAsked ? await given?.() : undefined;
    const access = { ...credentials, ...(password === undefined ? {} : { password }) };
    return processes.run({
      args: [...remoteSettings(access), ...command, address.text, ...specs],
      env: remoteEnvironment(bench, address, access),
      cwd: bench.folder,
      isGroup: true,
    });
  }

  async #address(): Promise<RemoteAddress> {
    const { remote } = this.#options;
    if (!isRemoteName(remote)) return readAddress(remote);
    const { processes, gitFolder } = this.#parts;
    const found = await targetSetting(processes, gitFolder, `remote.${remote}.url`);
    if (found !== undefined) return readAddress(found);
    throw new GitError('bad_remote', `The target repository has no remote ${shownPath(remote)}.`, {
      hint: `Add it (git remote add ${remote} ADDRESS), or correct deploy.remote.`,
    });
  }

  async #name(): Promise<string> {
    return `The remote at ${await this.address()}`;
  }

  #failed(command: string, output: GitOutput): GitError {
    const words = output.stderr.split('\n').slice(0, 4).join(' ').trim();
    return new GitError(
      'remote_failed',
      `The remote ${shownPath(this.#options.remote)} could not be asked (git ${command}): ${words || `exit ${output.exit}`}`,
      {
        hint: 'Look whether it can be reached and whether deploy.sshKey or deploy.credentialHelper still open it: "hone doctor".',
      },
    );
  }
}
