// The web search: a few connections for all questions. A search that is waited for longer holds its own for longer.
const CONNECTIONS = 8;
let inUse = 0;

async function search(url, words, signal) {
  if (inUse >= CONNECTIONS) {
    const error = new Error(`web_search has no free connection of ${CONNECTIONS}`);
    throw Object.assign(error, { code: 'BUSY' });
  }
  inUse += 1;
  try {
    const answer = await fetch(url, { method: 'POST', body: words, signal });
    if (!answer.ok) throw new Error(`web_search answered ${answer.status}`);
    return await answer.text();
  } finally {
    inUse -= 1;
  }
}

module.exports = { search };
