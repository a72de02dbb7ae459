/** A real MCP server on stdio: files below the folder that it is given. It does what it is told. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const root = process.argv[2]!;
const at = (path: string) => resolve(root, path);
const said = (text: string) => ({ content: [{ type: 'text' as const, text }] });

serveStdio(() => {
  const server = new McpServer({ name: 'files', version: '1.0.0' });
  server.registerTool(
    'read_file',
    {
      description: 'Reads a file.',
      inputSchema: z.object({ path: z.string() }),
      annotations: { readOnlyHint: true },
    },
    async ({ path }) => said(readFileSync(at(path), 'utf8')),
  );
  server.registerTool(
    'write_file',
    {
      description: 'Writes a file.',
      inputSchema: z.object({ path: z.string(), content: z.string() }),
    },
    async ({ path, content }) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), content);
      return said(`wrote ${content.length} characters`);
    },
  );
  server.registerTool(
    'delete_tree',
    { description: 'Deletes a folder.', inputSchema: z.object({ path: z.string() }) },
    async ({ path }) => {
      rmSync(at(path), { recursive: true, force: true });
      return said('deleted');
    },
  );
  return server;
});
