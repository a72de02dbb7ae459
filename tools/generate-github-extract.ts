/**
 * Makes `test/github/openapi.json`: GitHub's own description of the endpoints that the forge `github` uses, so that
 * the stand-in in tests refuses what GitHub would refuse. Reproducible: the same package gives the same bytes.
 *
 *   npm pack @octokit/openapi@23.0.2 && tar xzf octokit-openapi-23.0.2.tgz package/generated/api.github.com.json
 *   node tools/generate-github-extract.ts package/generated/api.github.com.json
 *
 * Taken: every parameter and the whole body of a request, without unknown members; of an answer the fields that the
 * client reads. Left out: descriptions and examples. The package itself unpacks to 385 MB and stays out.
 */
import { readFileSync, writeFileSync } from 'node:fs';

type Schema = Readonly<Record<string, unknown>>;
/** Fields of an answer that are kept; `true` keeps all of it. */
type Kept = true | { readonly [field: string]: Kept };

const USER: Kept = { id: true, login: true, type: true };
const PULL: Kept = {
  ...{ number: true, node_id: true, state: true, draft: true, title: true, body: true },
  ...{ merged_at: true, merge_commit_sha: true, html_url: true, user: USER },
  head: { ref: true, sha: true, repo: { id: true } },
  base: { ref: true, sha: true, repo: { id: true } },
};
const CHECK: Kept = {
  ...{ id: true, head_sha: true, name: true, external_id: true, status: true, conclusion: true },
  ...{ completed_at: true, app: { id: true } },
};

const REPOSITORY = '/repos/{owner}/{repo}';
const ENDPOINTS: readonly (readonly [string, string, string, Kept])[] = [
  [
    ...(['get', REPOSITORY, '200'] as const),
    {
      ...{ id: true, full_name: true, private: true, archived: true },
      ...{ allow_merge_commit: true, allow_squash_merge: true, allow_rebase_merge: true },
    },
  ],
  ['get', `${REPOSITORY}/pulls`, '200', PULL],
  ['post', `${REPOSITORY}/pulls`, '201', PULL],
  ['get', `${REPOSITORY}/pulls/{pull_number}`, '200', PULL],
  ['patch', `${REPOSITORY}/pulls/{pull_number}`, '200', PULL],
  [
    ...(['get', `${REPOSITORY}/pulls/{pull_number}/reviews`, '200'] as const),
    { id: true, state: true, commit_id: true, submitted_at: true, user: USER },
  ],
  [
    ...(['put', `${REPOSITORY}/pulls/{pull_number}/merge`, '200'] as const),
    { sha: true, merged: true },
  ],
  ['post', `${REPOSITORY}/check-runs`, '201', CHECK],
  [
    ...(['get', `${REPOSITORY}/commits/{ref}/check-runs`, '200'] as const),
    { total_count: true, check_runs: CHECK },
  ],
  [
    ...(['get', `${REPOSITORY}/commits/{ref}/status`, '200'] as const),
    { total_count: true, statuses: { context: true, state: true } },
  ],
  [
    ...(['get', `${REPOSITORY}/branches/{branch}`, '200'] as const),
    { protection: { required_status_checks: { contexts: true, enforcement_level: true } } },
  ],
  // Of the many kinds of rules the one that is read.
  [
    ...(['get', `${REPOSITORY}/rules/branches/{branch}`, '200'] as const),
    { type: true, parameters: { required_status_checks: { context: true } } },
  ],
  ['post', `${REPOSITORY}/issues/{issue_number}/labels`, '200', { name: true }],
  [
    ...(['post', '/app/installations/{installation_id}/access_tokens', '201'] as const),
    { token: true, expires_at: true },
  ],
];

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('Usage: node tools/generate-github-extract.ts <api.github.com.json>\n');
  process.exit(2);
}
const description = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly info: { readonly version: string };
  readonly paths: Record<string, Record<string, Operation>>;
};

interface Operation {
  readonly parameters?: readonly Schema[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
  readonly responses: Record<string, { content: Record<string, { schema: Schema }> }>;
}

/** What `$ref` names. */
function resolved(schema: Schema): Schema {
  const { $ref } = schema as { readonly $ref?: string };
  if ($ref === undefined) return schema;
  const parts = $ref.slice(2).split('/');
  const found = parts.reduce<unknown>((at, part) => (at as Schema)[part], description) as Schema;
  return resolved(found);
}

const DROPPED = [
  'description',
  'example',
  'examples',
  'title',
  'x-github',
  'deprecated',
  'default',
];

/** All of it. Unknown members are refused: GitHub would ignore them, and we would think that they had an effect. */
function whole(given: Schema): Schema {
  const schema = resolved(given);
  const entries = Object.entries(schema).filter(([key]) => !DROPPED.includes(key));
  const copy = Object.fromEntries(
    entries.map(([key, value]) => {
      if (key === 'properties') return [key, each(value as Schema, whole)];
      if (key === 'items') return [key, whole(value as Schema)];
      if (['oneOf', 'anyOf', 'allOf'].includes(key)) return [key, (value as Schema[]).map(whole)];
      return [key, value];
    }),
  );
  return 'properties' in copy && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy;
}

const each = (record: Schema, change: (schema: Schema) => Schema) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value as Schema)]));

/** Only what is kept of it. */
function pruned(given: Schema, kept: Kept): Schema {
  const schema = resolved(given);
  if (kept === true) return whole(schema);
  const some = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as Schema[] | undefined;
  if (some !== undefined) {
    const nullable = schema['nullable'] === true || some.some((one) => one['type'] === 'null');
    const real = some.map((one) => prunedIfDescribed(one, kept)).find((one) => one !== undefined);
    if (real === undefined) throw new Error('nothing to keep in a union');
    return { ...real, ...(nullable ? { nullable: true } : {}) };
  }
  if (schema['type'] === 'array')
    return { type: 'array', items: pruned(schema['items'] as Schema, kept) };
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
  const names = Object.keys(kept);
  const missing = names.filter((name) => properties[name] === undefined);
  if (missing.length > 0) throw new Error(`not described: ${missing.join(', ')}`);
  const required = (schema['required'] as string[] | undefined) ?? [];
  return {
    type: 'object',
    ...(schema['nullable'] === true ? { nullable: true } : {}),
    required: required.filter((name) => names.includes(name)),
    properties: Object.fromEntries(
      names.map((name) => [name, pruned(properties[name]!, kept[name]!)]),
    ),
  };
}

function prunedIfDescribed(schema: Schema, kept: Kept): Schema | undefined {
  try {
    return pruned(schema, kept);
  } catch {
    return undefined;
  }
}

const endpoints = ENDPOINTS.map(([method, path, status, kept]) => {
  const operation = description.paths[path]?.[method];
  if (operation === undefined) throw new Error(`GitHub has no ${method} ${path}`);
  const parameters = (operation.parameters ?? []).map(resolved);
  const query = parameters.filter((one) => one['in'] === 'query');
  const body = operation.requestBody?.content['application/json']?.schema;
  const answer = operation.responses[status]!;
  const { content } = resolved(answer as unknown as Schema) as unknown as typeof answer;
  return {
    method: method.toUpperCase(),
    path,
    query: Object.fromEntries(query.map((one) => [one['name'], whole(one['schema'] as Schema)])),
    ...(body === undefined ? {} : { body: whole(body) }),
    status: Number(status),
    answer: pruned(content['application/json']!.schema, kept),
    refusals: Object.keys(operation.responses)
      .map(Number)
      .filter((one) => one >= 400),
  };
});

const out = { from: `@octokit/openapi ${description.info.version}`, endpoints };
writeFileSync(
  new URL('../test/github/openapi.json', import.meta.url),
  `${JSON.stringify(out, null, 1)}\n`,
);
