/** A schema's history. A migration, once released, never changes. */

export interface Migration {
  readonly id: number;
  readonly name: string;
  /** True when a build that does not know this migration must not touch the data. */
  readonly breaking: boolean;
  readonly sqlite: string;
  readonly postgres: string;
}

/** In order of id. Control and telemetry are two files on SQLite and one database on PostgreSQL. */
export interface MigrationSet {
  readonly name: 'control' | 'telemetry';
  readonly migrations: readonly Migration[];
}
