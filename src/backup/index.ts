export { type Backup, openBackup } from './container.ts';
export { BackupError, type BackupErrorCode } from './errors.ts';
export { type Restored, restoreBackup } from './restore.ts';
export { type Taken, takeBackup } from './take.ts';
