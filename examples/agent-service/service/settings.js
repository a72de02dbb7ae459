// Reads the few settings of an agent: "key: number" lines below a tool's name.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

function toolSettings(agent, tool) {
  const lines = readFileSync(join(__dirname, '..', 'agents', `${agent}.yaml`), 'utf8').split('\n');
  const from = lines.findIndex((line) => line.trim() === `${tool}:`);
  if (from < 0) throw new Error(`${agent} has no tool ${tool}`);
  const own = lines.slice(from + 1).filter((line) => line.startsWith('    '));
  return Object.fromEntries(
    own.map((line) => line.trim().split(': ')).map(([key, value]) => [key, Number(value)]),
  );
}

module.exports = { toolSettings };
