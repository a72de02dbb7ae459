// Calls a tool, and gives up after its time: `work` gets a signal that says so.
const { toolSettings } = require('./settings.js');

async function callTool(agent, tool, work) {
  const { timeout_ms: timeoutMs } = toolSettings(agent, tool);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  const givenUp = new Promise((_, reject) => {
    late.signal.addEventListener('abort', () => {
      const error = new Error(`${tool} timed out after ${timeoutMs} ms`);
      reject(Object.assign(error, { code: 'TIMEOUT' }));
    });
  });
  try {
    return await Promise.race([work(late.signal), givenUp]);
  } finally {
    clearTimeout(timer);
  }
}

module.exports = { callTool };
