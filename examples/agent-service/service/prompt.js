// The words that an agent works with: its prompt, with the question in its place.
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const PLACE = '{question}';

function promptFor(agent, question) {
  const text = readFileSync(join(__dirname, '..', 'prompts', `${agent}.md`), 'utf8');
  if (!text.includes(PLACE)) throw new Error(`the prompt of ${agent} has no place for ${PLACE}`);
  return text.replace(PLACE, () => question);
}

module.exports = { promptFor };
