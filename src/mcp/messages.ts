/** Messages of JSON-RPC as MCP uses them: which is which, and how each is refused. */
import type { Json } from '../base/index.ts';

export type Id = string | number;
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: Id;
  readonly method?: string;
  readonly params?: { readonly [key: string]: Json | undefined };
  readonly result?: { readonly [key: string]: Json | undefined };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Json };
}

export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
/** Below the codes that JSON-RPC and MCP keep for themselves. */
export const REFUSED = -32_010;
export const SERVER_GONE = -32_011;

export const errorMessageOf = (
  id: Id | null,
  code: number,
  message: string,
  data?: Json,
): Json => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data === undefined ? {} : { data }) },
});

/** Undefined where it is none: a batch, a wrong version, an id that is no id. */
export function messageOf(value: unknown): Message | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { jsonrpc, id, method, params, result, error } = value as Record<string, unknown>;
  if (jsonrpc !== '2.0') return undefined;
  if (id !== undefined && typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined;
  if (method !== undefined && typeof method !== 'string') return undefined;
  const isObject = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one);
  if (params !== undefined && !isObject(params)) return undefined;
  if (method === undefined && (id === undefined || isObject(result) === isObject(error))) {
    return undefined;
  }
  if (method !== undefined && (result !== undefined || error !== undefined)) return undefined;
  return value as Message;
}

const PROTOCOL_KEY = 'io.modelcontextprotocol/protocolVersion';
export const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo';
export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** The revision that a request of 2026-07-28 or later names. */
export function namedRevision(message: Message): string | undefined {
  const named = metaOf(message)[PROTOCOL_KEY];
  return typeof named === 'string' ? named : undefined;
}

/** What a request says about itself; empty where it says nothing. */
export function metaOf({ params }: Message): { readonly [key: string]: Json | undefined } {
  const meta = params?.['_meta'];
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta)) return {};
  return meta as { readonly [key: string]: Json | undefined };
}
