/**
 * The dashboard's files: in the package they lie beside the code; in a checkout they are built when a page is first
 * asked for, by a process of its own, and kept until a source of theirs changes.
 */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorMessage, type Log } from '../base/index.ts';
import type { PageFiles, PagesPorts } from '../http/index.ts';

const PACKAGED = fileURLToPath(new URL('../dashboard/', import.meta.url));
const BUILDER = fileURLToPath(new URL('../../tools/build-dashboard.ts', import.meta.url));

export interface Dashboard extends PagesPorts, Disposable {
  /** Builds it if that is needed; resolves when it is there or has failed. */
  prepare(): Promise<void>;
}

export function dashboardFiles(log: Log): Dashboard {
  let files: PageFiles | undefined;
  let why =
    'The dashboard is being built. This happens once after an update; the page opens by itself.';
  let preparing: Promise<void> | undefined;
  const ending = new AbortController();
  const make = async () => {
    try {
      const isPackaged = existsSync(join(PACKAGED, 'index.html'));
      files = readFolder(isPackaged ? PACKAGED : await build(log, ending.signal));
    } catch (error) {
      why =
        'The dashboard could not be built: see the server’s log. The API and the commands work.';
      if (!ending.signal.aborted)
        log.error('the dashboard could not be built', { error: errorMessage(error) });
    }
  };
  const prepare = () => {
    preparing ??= make();
    return preparing;
  };
  return {
    prepare,
    files: () => {
      void prepare();
      return files;
    },
    whyNot: () => why,
    [Symbol.dispose]: () => ending.abort(),
  };
}

/** Gives the folder. Where nothing changed since the last build, it is there at once. */
function build(log: Log, signal: AbortSignal): Promise<string> {
  if (!existsSync(BUILDER)) return Promise.reject(new Error(`${BUILDER} is not there`));
  log.info('building the dashboard, if its sources changed');
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [BUILDER], { signal }, (error, out, err) => {
      if (error === null) return resolve(out.trim());
      reject(new Error(err.trim() === '' ? error.message : err.trim(), { cause: error }));
    });
  });
}

function readFolder(folder: string): PageFiles {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));
  return new Map(
    names.map((path) => [
      path.slice(folder.length).replaceAll('\\', '/').replace(/^\//, ''),
      readFileSync(path),
    ]),
  );
}
