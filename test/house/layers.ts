/**
 * The order of the house, from the ground up: a folder imports only from lower layers. Rooms of one
 * layer never import each other; what one needs of another it declares as a port.
 */
export const LAYERS: readonly (readonly string[])[] = [
  ['base'],
  ['facts', 'contracts', 'text', 'stats', 'sanitise', 'document', 'report'],
  ['store'],
  ['ledger', 'artifact', 'lease', 'outbox', 'identity'],
  ['proposal', 'policy', 'schedule', 'config', 'home', 'git', 'sandbox', 'model'],
  [
    'observe',
    'diagnose',
    'propose',
    'vet',
    'validate',
    'approve',
    'deploy',
    'monitor',
    'learn',
    'health',
    'notify',
    'backup',
    'process',
    'evidence',
    'claim',
    'prompt',
    'gateway',
  ],
  ['loop'],
  ['app'],
  ['http', 'cli', 'mcp', 'hook'],
  ['compose'],
  ['main.ts'],
];

/** Imports within a layer that were decided on, each with its reason. */
export const SIDEWAYS: Readonly<Record<string, string>> = {
  'contracts -> facts': 'the wire is made of the shared nouns',
  'report -> facts': 'a report tells in the words of events what became of a test',
  'identity -> ledger': 'a token proves only what its entries say, and both are the ground',
  'outbox -> lease': 'one sender per lane of a destination is a lease, and both are the ground',
};

/** What a door may import besides itself, each with its reason: it parses, calls one use case, and shows. */
export const BELOW_DOORS: Readonly<Record<string, string>> = {
  app: 'the use cases',
  contracts: 'what they take and give',
  base: 'the ground',
  facts: 'the words of options and answers',
  text: 'how text of others is shown so that nothing in it is hidden',
};

/**
 * How a room is entered from outside: `index.ts`, also of a folder inside it; `schemas.ts`, for those who need zod;
 * `room.ts`, for the list of manifests; `at-start.ts`, for what every start of `hone` loads.
 */
export const ENTRIES: readonly string[] = ['index.ts', 'schemas.ts', 'room.ts', 'at-start.ts'];

/** Rooms that every file of is an entry to, each with its reason. */
export const OPEN_ROOMS: Readonly<Record<string, string>> = {
  app: 'one file for each use case, so that a command loads its own and no other',
  contracts: 'one file for each noun',
  cli: 'only the composition root builds it',
  compose: 'only main.ts starts it',
};
