// The service: POST /ask answers a question, GET /version says which commit runs. Each search is one line of telemetry.
const { appendFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { randomUUID } = require('node:crypto');
const { callTool } = require('./call-tool.js');
const { promptFor } = require('./prompt.js');
const { search } = require('./search.js');

const { HOST = '127.0.0.1', PORT = '8080', SEARCH_URL, TELEMETRY, VERSION } = process.env;
const AGENT = 'researcher';
const TOOL = 'web_search';

function record(startedMs, error) {
  const event = {
    timestamp: new Date().toISOString(),
    event_type: 'tool_call',
    session_id: randomUUID(),
    agent: AGENT,
    version: VERSION,
    tool: TOOL,
    success: error === undefined,
    ...(error && { error_code: error.code ?? 'FAILED', error_message: error.message }),
    latency_ms: Math.round(performance.now() - startedMs),
  };
  appendFileSync(TELEMETRY, `${JSON.stringify(event)}\n`);
}

async function ask(question) {
  const words = promptFor(AGENT, question);
  const startedMs = performance.now();
  try {
    const found = await callTool(AGENT, TOOL, (signal) => search(SEARCH_URL, words, signal));
    record(startedMs);
    return { status: 200, text: found };
  } catch (error) {
    record(startedMs, error);
    return { status: 503, text: error.message };
  }
}

async function answer(request) {
  if (request.url === '/version') return { status: 200, text: VERSION };
  if (request.method !== 'POST' || request.url !== '/ask') return { status: 404, text: 'not here' };
  let question = '';
  for await (const part of request) question += part;
  return ask(question);
}

createServer(async (request, response) => {
  const { status, text } = await answer(request);
  response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
}).listen(Number(PORT), HOST);
