/** What backups need of the file, beside the store. */
export { actingParts, copySqlite, type Held, holdSqlite } from './copy.ts';
