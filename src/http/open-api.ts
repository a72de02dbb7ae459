/** The routes as an OpenAPI 3.1 document, from the same table. */
import { z } from 'zod';
import { errorJson } from '../contracts/index.ts';
import { VERSION } from '../version.ts';
import { API_ROUTES, EVENTS_ROUTE, EXPORT_ROUTE } from './route-table.ts';

type Schema = Readonly<Record<string, unknown>>;

export function openApi(): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of [...API_ROUTES, EVENTS_ROUTE, EXPORT_ROUTE]) {
    const path = route.path.replace(':id', '{id}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Hone', version: VERSION },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: jsonSchema(errorJson, 'output') },
    },
  };
}

function operation(route: {
  readonly method: string;
  readonly path: string;
  readonly role: string;
  readonly about: string;
  readonly input: z.ZodType;
  readonly answer?: z.ZodType;
  /** Of an answer that is no document. */
  readonly media?: string;
}) {
  const { method, path, role, about, input, answer, media = '' } = route;
  const inPath = path.includes(':id')
    ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
    : [];
  const inQuery =
    method === 'GET'
      ? Object.entries(propertiesOf(input)).map(([name, schema]) => ({
          name,
          in: 'query',
          required: isNeeded(input, name),
          schema,
        }))
      : [];
  const body =
    method === 'GET'
      ? {}
      : {
          requestBody: { content: { 'application/json': { schema: jsonSchema(input, 'input') } } },
        };
  const content =
    answer === undefined
      ? { [media]: { schema: { type: 'string' } } }
      : { 'application/json': { schema: jsonSchema(answer, 'output') } };
  const error = { $ref: '#/components/schemas/Error' };
  return {
    summary: about,
    description: `Role: ${role}.`,
    parameters: [...inPath, ...inQuery],
    ...body,
    responses: {
      200: { description: 'Done.', content },
      default: { description: 'An error.', content: { 'application/json': { schema: error } } },
    },
  };
}

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Schema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
};

/** The fields of an input, each with its JSON schema. */
export const propertiesOf = (schema: z.ZodType) =>
  (jsonSchema(schema, 'input')['properties'] ?? {}) as Readonly<Record<string, Schema>>;

export const isNeeded = (schema: z.ZodType, name: string) =>
  ((jsonSchema(schema, 'input')['required'] ?? []) as readonly string[]).includes(name);
