/** The tables of a database, from the SQL that makes them: files in the order of their paths, as migrations are run. */

const NAME = String.raw`(?:IF (?:NOT )?EXISTS )?(?:[\w"\`[\]]+\.)?["\`[]?(\w+)["\`\]]?`;
const STEP = new RegExp(
  [
    String.raw`\bCREATE (?:TEMP(?:ORARY)? |UNLOGGED |VIRTUAL )?TABLE ${NAME}`,
    String.raw`\bDROP TABLE ${NAME}`,
    String.raw`\bALTER TABLE (?:ONLY )?${NAME} RENAME TO ["\`[]?(\w+)`,
    String.raw`\bCREATE (?:OR REPLACE )?(?:MATERIALIZED )?VIEW ${NAME}`,
  ].join('|'),
  'gi',
);

/** How mappers in all three languages call it: `__tablename__`, `db_table`, `tableName`, `TableName() string { return … }`. */
const MAPPED = /\b_*(?:table_?name|db_table)_*\b[^"'`\n]{0,60}["'`](?:\w+\.)?(\w+)["'`]/gi;

/** Tables that code names as the place of a type. */
export function mappedTables(code: string): string[] {
  return [...code.matchAll(MAPPED)].map(([, name]) => name!.toLowerCase());
}

/** What undoes a migration is not part of how the schema came to be. */
const UNDOES = /(?:\.down\.sql|[_.-]down\.sql|rollback)/i;

export function applySql(tables: Set<string>, path: string, sql: string): void {
  if (UNDOES.test(path)) return;
  const text = sql
    .replace(/--.*$/gm, ' ')
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/\s+/g, ' ');
  for (const [, made, dropped, from, to, view] of text.matchAll(STEP)) {
    if (made !== undefined) tables.add(made.toLowerCase());
    if (dropped !== undefined) tables.delete(dropped.toLowerCase());
    if (from !== undefined && tables.delete(from.toLowerCase())) tables.add(to!.toLowerCase());
    if (view !== undefined) tables.add(view.toLowerCase());
  }
}
