/** Where the running server can be reached, and what makes keys for it; for the owner of the installation alone. */
import { rmSync } from 'node:fs';
import { type Home, readPrivateFile, writePrivateFile } from '../home/index.ts';

export interface DoorFile {
  readonly url: string;
  readonly pid: number;
  /** New with each start of the server, so keys of an earlier one open nothing. */
  readonly secret: string;
}

export function writeDoorFile({ doorFile }: Home, door: DoorFile): void {
  writePrivateFile(doorFile, `${JSON.stringify(door)}\n`, { exclusive: false });
}

export function readDoorFile({ doorFile }: Home): DoorFile | undefined {
  const text = readPrivateFile(doorFile);
  if (text === undefined) return undefined;
  try {
    const { url, pid, secret } = JSON.parse(text) as Partial<DoorFile>;
    const isWhole = [url, secret].every((one) => typeof one === 'string');
    return isWhole && typeof pid === 'number' ? { url: url!, pid, secret: secret! } : undefined;
  } catch {
    return undefined;
  }
}

/** Unless another server has written its own meanwhile. */
export function dropDoorFile(home: Home, { secret }: DoorFile): void {
  if (readDoorFile(home)?.secret === secret) rmSync(home.doorFile, { force: true });
}
