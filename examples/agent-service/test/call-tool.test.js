const assert = require('node:assert/strict');
const { test } = require('node:test');
const { callTool } = require('../service/call-tool.js');
const { toolSettings } = require('../service/settings.js');

test('a tool answers', async () => {
  assert.equal(await callTool('researcher', 'web_search', async () => 'found'), 'found');
});

test('nobody waits longer than ten seconds for a search', () => {
  const { timeout_ms: timeoutMs, retries } = toolSettings('researcher', 'web_search');
  assert.ok(timeoutMs > 0 && timeoutMs <= 10_000, `timeout_ms is ${timeoutMs}`);
  assert.ok(retries >= 0 && retries <= 5);
});
