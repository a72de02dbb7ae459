// Calls a tool, and gives up after its time.
const { toolSettings } = require('./settings.js');

async function callTool(agent, tool, work) {
  const { timeout_ms: timeoutMs } = toolSettings(agent, tool);
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${tool} timed out after ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

module.exports = { callTool };
