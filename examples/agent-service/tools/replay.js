// Runs recorded sessions again with the settings as they are here: lines of JSON in, lines of JSON out.
// A recorded call takes as long as it took. One that was cut off has no known end: assumed here is half as
// long again as the time after which it was given up.
const { toolSettings } = require('../service/settings.js');

const CUT_OFF_GREW = 1.5;

function replayed({ id, agent, events }) {
  const calls = events.filter((event) => event.event_type === 'tool_call');
  let latencyMs = 0;
  for (const { tool, success, error_code: code, latency_ms: recordedMs = 0 } of calls) {
    const wasCutOff = !success && code === 'TIMEOUT';
    if (!success && !wasCutOff) return { id, ok: false, error: code ?? 'failed' };
    const neededMs = wasCutOff ? recordedMs * CUT_OFF_GREW : recordedMs;
    const { timeout_ms: timeoutMs } = toolSettings(agent, tool);
    latencyMs += Math.min(neededMs, timeoutMs);
    if (neededMs > timeoutMs) return { id, ok: false, error: 'TIMEOUT', latency_ms: latencyMs };
  }
  return { id, ok: true, error: null, latency_ms: latencyMs };
}

let text = '';
process.stdin.on('data', (bytes) => {
  text += bytes;
});
process.stdin.on('end', () => {
  const cases = text.split('\n').filter((line) => line !== '');
  for (const line of cases) console.log(JSON.stringify(replayed(JSON.parse(line))));
});
