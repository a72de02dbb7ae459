/**
 * Whether a settings file defines an agent, judged by its structure: which keys stand together in one mapping, and
 * what kind of value each has. One word proves nothing (`model` is also a car, `prompt` also a label of a form).
 * A file that is missed costs a line in `hone.yaml`; one that is taken wrongly is tuned. So in doubt it is not an agent.
 */

type Mapping = Readonly<Record<string, unknown>>;

/**
 * The file's folder, or agents in its own name: this is evidence by itself, so the content needs less.
 */
export type Surroundings = 'agents' | 'tools' | 'named' | 'anywhere';

const DEPTH_MAX = 6;
const MAPPINGS_MAX = 500;

export function definesAgent(document: unknown, where: Surroundings): boolean {
  if (isOtherFormat(asMapping(document))) return false;
  const judge = { agents: isPartOfAgent, tools: isTool, named: isToldModel, anywhere: isAgent }[
    where
  ];
  return mappingsOf(document).some((mapping) => judge(mapping) || isAgent(mapping));
}

/** Formats with a place of their own for such keys: APIs, schemas, containers, pipelines, packages, evaluations. */
function isOtherFormat(top: Mapping): boolean {
  const has = (...keys: string[]) => keys.every((key) => Object.hasOwn(top, key));
  return (
    has('openapi') ||
    has('swagger') ||
    String(top['$schema'] ?? '').includes('json-schema') ||
    has('apiVersion', 'kind') ||
    has('on', 'jobs') ||
    has('runs', 'name') ||
    has('compilerOptions') ||
    (has('tests') && (has('prompts') || has('providers'))) ||
    (has('name', 'version') && (has('dependencies') || has('scripts') || has('devDependencies')))
  );
}

/** Breadth first, so that a large file is judged by its top. */
function mappingsOf(document: unknown): Mapping[] {
  const found: Mapping[] = [];
  let level = [document];
  for (let depth = 0; depth <= DEPTH_MAX && found.length < MAPPINGS_MAX; depth += 1) {
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      if (!Array.isArray(value)) found.push(normalised(value as Mapping));
      next.push(...Object.values(value));
    }
    level = next.slice(0, MAPPINGS_MAX * 10);
  }
  return found.slice(0, MAPPINGS_MAX);
}

/** `system_prompt`, `systemPrompt` and `system-prompt` are one key. */
function normalised(mapping: Mapping): Mapping {
  const plain = (key: string) => key.toLowerCase().replace(/[^a-z0-9]/g, '');
  return Object.fromEntries(Object.entries(mapping).map(([key, value]) => [plain(key), value]));
}

function isAgent(mapping: Mapping): boolean {
  if (hasServers(mapping) || hasPersona(mapping) || hasTask(mapping)) return true;
  if (isTraining(mapping)) return false;
  const abilities = hasAbilities(mapping);
  const sampling = hasSampling(mapping);
  const model = hasModel(mapping);
  if (hasSystemPrompt(mapping)) return abilities || sampling || model;
  // A printer has a model and instructions too.
  if (hasPrompt(mapping)) return abilities || sampling;
  return abilities && (model || sampling || hasLimitedTools(mapping));
}

function isToldModel(mapping: Mapping): boolean {
  return hasModel(mapping) && (hasPrompt(mapping) || hasSystemPrompt(mapping));
}

function isPartOfAgent(mapping: Mapping): boolean {
  if (isTraining(mapping)) return false;
  return [hasModel, hasPrompt, hasSystemPrompt, hasAbilities, hasSampling, hasLimit].some((has) =>
    has(mapping),
  );
}

function isTool(mapping: Mapping): boolean {
  const isDescribed = isName(mapping['name']) && isWords(mapping['description']);
  return (
    isDescribed && (hasLimit(mapping) || isMapping(mapping['parameters'] ?? mapping['inputschema']))
  );
}

const MODEL = ['model', 'modelname', 'modelid', 'llm', 'modelclient', 'llmconfig'];
const SYSTEM_PROMPT = ['systemprompt', 'systemmessage', 'systeminstruction'];
const PROMPT = ['prompt', 'system', 'instructions', 'backstory'];
const ABILITIES = ['tools', 'toolsets', 'handoffs', 'subagents', 'mcpservers'];
const SAMPLING = [
  'temperature',
  'topp',
  'maxtokens',
  'maxturns',
  'maxsteps',
  'maxiter',
  'recursionlimit',
];
const TRAINING = ['learningrate', 'optimizer', 'epochs', 'batchsize'];

/** A name of a model has a version, a vendor or a variable in it; a label of a form has not. */
function hasModel(mapping: Mapping): boolean {
  return MODEL.some((key) => {
    const value = mapping[key];
    if (typeof value === 'string') return /^[\w.@:/${}-]*[\d:/$][\w.@:/${}-]*$/.test(value);
    return isMapping(value) && hasModel(normalised(value));
  });
}

/** What an agent is told: sentences, or the file that has them. */
function hasPrompt(mapping: Mapping): boolean {
  return PROMPT.some((key) => isTelling(mapping[key]));
}

/** The same under a key that means nothing else. */
function hasSystemPrompt(mapping: Mapping): boolean {
  return SYSTEM_PROMPT.some((key) => isTelling(mapping[key]));
}

/** A list, or a mapping of tools. A single text is a label, a mapping of texts a schema. */
function hasAbilities(mapping: Mapping): boolean {
  return ABILITIES.some((key) => {
    const value = mapping[key];
    if (Array.isArray(value)) return value.every((one) => isName(one) || isMapping(one));
    return isMapping(value) && Object.values(value).every(isMapping);
  });
}

function hasSampling(mapping: Mapping): boolean {
  return (
    SAMPLING.some((key) => typeof mapping[key] === 'number') || isName(mapping['reasoningeffort'])
  );
}

function hasLimit(mapping: Mapping): boolean {
  return Object.entries(mapping).some(
    ([key, value]) => /timeout|^(?:max)?retries$/.test(key) && isQuantity(value),
  );
}

function hasLimitedTools({ tools }: Mapping): boolean {
  return (
    isMapping(tools) && Object.values(tools).some((one) => hasLimit(normalised(asMapping(one))))
  );
}

/** MCP: each server is started by a command or reached by a URL. */
function hasServers({ mcpservers: servers }: Mapping): boolean {
  if (!isMapping(servers)) return false;
  const all = Object.values(servers).map(asMapping);
  const isServer = ({ command, url }: Mapping) => isText(command) || isText(url);
  return all.length > 0 && all.every(isServer);
}

/** CrewAI's two files: who an agent is, and what it is asked for. */
function hasPersona({ role, goal, backstory }: Mapping): boolean {
  return isText(role) && isWords(goal) && isWords(backstory);
}

function hasTask({ description, expectedoutput }: Mapping): boolean {
  return isWords(description) && isWords(expectedoutput);
}

/** Training a model has the same words for other things. */
function isTraining(mapping: Mapping): boolean {
  return TRAINING.some((key) => Object.hasOwn(mapping, key));
}

const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const asMapping = (value: unknown): Mapping => (isMapping(value) ? value : {});
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isName = (value: unknown) => isText(value) && !/\s/.test(value);
const isWords = (value: unknown) => isText(value) && /\S\s+\S/.test(value);
const isTextFile = (value: unknown) =>
  isText(value) && /^\S+\.(?:md|txt|prompt|j2|jinja2?|hbs)$/.test(value);
const isTelling = (value: unknown) => isWords(value) || isTextFile(value);
const isQuantity = (value: unknown) =>
  typeof value === 'number' || (isText(value) && /^\d+(?:\.\d+)?\s?(?:ms|s|m|h)$/.test(value));
