/** Calls that a client made, from the end of its transcript: those with a result, since a refused one has an error. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { HookClient } from '../facts/index.ts';
import { namesOf } from './clients.ts';

/** A turn writes less; what is before it was looked at then. */
const TAIL_BYTES = 512 * 1024;

interface Block {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
  readonly tool_use_id?: unknown;
  readonly is_error?: unknown;
}

export function callsMade(client: HookClient, path: string): { id: string; tool: string }[] {
  const named = new Map<string, string>();
  const done = new Set<string>();
  for (const line of tailOf(path).split('\n')) {
    for (const block of blocksOf(line)) {
      if (block.type === 'tool_use' && typeof block.id === 'string') {
        const { server, tool } = namesOf(client, String(block.name));
        named.set(block.id, `${server}/${tool}`);
      }
      if (block.type === 'tool_result' && block.is_error !== true) {
        done.add(String(block.tool_use_id));
      }
    }
  }
  return [...named].filter(([id]) => done.has(id)).map(([id, tool]) => ({ id, tool }));
}

function blocksOf(line: string): Block[] {
  try {
    const { message } = JSON.parse(line) as { message?: { content?: unknown } };
    return Array.isArray(message?.content) ? (message.content as Block[]) : [];
  } catch {
    return [];
  }
}

function tailOf(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
      readSync(file, bytes, 0, bytes.length, size - bytes.length);
      return bytes.toString('utf8');
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}
