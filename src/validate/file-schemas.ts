/**
 * Files against the JSON Schema that they name (VAL-2): by `$schema`, by the line that YAML editors read, or by `json.schemas` of
 * `.vscode/settings.json`. Only schemas of the repository can be had, and only as they were before the change: one that it brings or
 * alters would let it judge itself. A change fails by what it newly breaks. What cannot be had is said: inconclusive.
 *
 * A schema is not trusted: it can hold an expression that takes for ever, so it has a second.
 */
import { posix } from 'node:path';
import { runInNewContext } from 'node:vm';
import { type OutputUnit, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { z } from 'zod';
import { decodeText, formatOf, plainValues, readDocument } from '../document/index.ts';
import { type CommitId, shownPath } from '../git/index.ts';
import { matchingPath } from '../policy/index.ts';
import type { FileVerdict } from './syntax.ts';
import type { CandidateChange, TouchedFile, ValidatePorts } from './types.ts';

type Repository = Pick<ValidatePorts['repository'], 'readFile'>;

const WITH_SCHEMAS = ['json', 'jsonc', 'yaml'];
const VSCODE = '.vscode/settings.json';
const TIMEOUT_MS = 1000;

/** Of the files that name a schema. */
export async function schemaVerdicts(
  { files, base }: Pick<CandidateChange, 'files' | 'base'>,
  repository: Repository,
): Promise<FileVerdict[]> {
  const readable = files.filter(
    ({ path, after }) =>
      after?.structure?.ok === true && WITH_SCHEMAS.includes(formatOf(path)?.name ?? ''),
  );
  if (readable.length === 0) return [];
  const mapped = await mappedSchemas(repository, base);
  const verdicts: FileVerdict[] = [];
  for (const file of readable) {
    const own = schemaNamed(file);
    const named = own?.path === undefined ? (mapped(file.path) ?? own) : own;
    if (named === undefined) continue;
    const { outcome, reason } = await verdictOf(file, named, { repository, base });
    verdicts.push({ outcome, reason: `${shownPath(file.path)} ${reason}` });
  }
  return verdicts;
}

interface Named {
  /** A path in the repository, unless it leads elsewhere. */
  readonly path: string | undefined;
  readonly written: string;
}

const EDITOR_LINE = /^#\s*yaml-language-server:\s*\$schema=(\S+)/m;

function schemaNamed({ path, after }: TouchedFile): Named | undefined {
  const text = after!.text!;
  const [value] = valuesOf(path, text) ?? [];
  const own = z.object({ $schema: z.string() }).safeParse(value).data?.$schema;
  const written = EDITOR_LINE.exec(formatOf(path)?.name === 'yaml' ? text : '')?.[1] ?? own;
  return written === undefined ? undefined : namedFrom(posix.dirname(path), written);
}

function namedFrom(folder: string, written: string): Named {
  const [name = ''] = written.split('#');
  if (name === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(name))
    return { path: undefined, written };
  const path = posix.join(name.startsWith('/') ? '' : folder, name).replace(/^\//, '');
  return { path: path.startsWith('../') ? undefined : path, written };
}

const settingsSchema = z.looseObject({ 'json.schemas': z.array(z.unknown()) });
const mappingSchema = z.looseObject({ fileMatch: z.array(z.string()), url: z.string() });

/** As Visual Studio Code has them: patterns of paths, and a schema for each that matches. */
async function mappedSchemas(
  repository: Repository,
  base: CommitId,
): Promise<(path: string) => Named | undefined> {
  const bytes = await repository.readFile(base, VSCODE);
  const text = bytes && decodeText(bytes);
  // They hold comments.
  const [settings] = (text !== undefined && valuesOf(`${VSCODE}c`, text)) || [];
  const mapped = (settingsSchema.safeParse(settings).data?.['json.schemas'] ?? []).flatMap(
    (one) => mappingSchema.safeParse(one).data ?? [],
  );
  return (path) => {
    const found = mapped.find(({ fileMatch }) => matchingPath(path, fileMatch) !== undefined);
    return found && namedFrom('', found.url);
  };
}

async function verdictOf(
  { path, before, after }: TouchedFile,
  { path: at, written }: Named,
  { repository, base }: { readonly repository: Repository; readonly base: CommitId },
): Promise<FileVerdict> {
  const shown = shownPath(at ?? written);
  const unclear = (why: string): FileVerdict => ({ outcome: 'inconclusive', reason: why });
  if (at === undefined)
    return unclear(
      `names the schema ${shown}, which cannot be had here: keep a copy in the repository and map it in ${VSCODE} (json.schemas).`,
    );
  const bytes = await repository.readFile(base, at);
  if (bytes === undefined)
    return unclear(`names the schema ${shown}, which was not there before this change.`);
  const text = decodeText(bytes);
  const [schema] = (text !== undefined && valuesOf(at, text)) || [];
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return unclear(`names ${shown}, which is no schema.`);
  const now = breaks(valuesOf(path, after!.text!), schema);
  if (typeof now === 'string')
    return unclear(`cannot be compared with the schema ${shown}: ${now}.`);
  const was = before?.text === undefined ? [] : breaks(valuesOf(path, before.text), schema);
  const known = new Set(typeof was === 'string' ? [] : was.map(placeOf));
  const found = now.find((one) => !known.has(placeOf(one)));
  if (found !== undefined)
    return {
      outcome: 'failed',
      reason: `does not fit the schema ${shown}: ${shownPath(found.instanceLocation)} breaks "${found.keyword}".`,
    };
  const also = now.length === 0 ? '' : ' no worse than before';
  return { outcome: 'passed', reason: `fits the schema ${shown}${also}.` };
}

/** One for each document of the file; undefined where it cannot be read. */
function valuesOf(path: string, text: string): unknown[] | undefined {
  const reading = readDocument(path, text);
  return reading.ok ? plainValues(reading.document) : undefined;
}

/** The schema's rules that are broken, the innermost first; or a clause why that cannot be said. */
function breaks(values: readonly unknown[] | undefined, schema: object): OutputUnit[] | string {
  if (values === undefined) return 'it could not be read';
  const validate = () => {
    const validator = new Validator(schema, draftOf(schema), false);
    return values.flatMap((value) => validator.validate(value).errors);
  };
  try {
    const errors: OutputUnit[] = runInNewContext(
      'validate()',
      { validate },
      { timeout: TIMEOUT_MS },
    );
    return errors.toSorted((one, other) => depthOf(other) - depthOf(one));
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
      ? 'it takes too long'
      : 'it refers to what is not in it, or is no schema';
  }
}

/** Without one, as editors take it. */
function draftOf(schema: object): SchemaDraft {
  const named = String((schema as { $schema?: unknown }).$schema ?? '');
  const found = /draft-04|2019-09|2020-12/.exec(named)?.[0];
  return found === undefined ? '7' : found === 'draft-04' ? '4' : (found as SchemaDraft);
}

const depthOf = ({ instanceLocation }: OutputUnit) => instanceLocation.split('/').length;

/** Items move when a list grows: which of them it is does not count. */
const placeOf = ({ keywordLocation, instanceLocation }: OutputUnit) =>
  `${keywordLocation} ${instanceLocation.replace(/\/\d+(?=\/|$)/g, '/*')}`;
