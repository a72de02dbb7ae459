/**
 * Layouts of repositories, with and without agents, written before the detection was tuned to any of them. In each,
 * the files below `agents` are to be matched by the globs that are found, those below `others` by none.
 */
export interface LayoutCase {
  readonly name: string;
  readonly agents: Readonly<Record<string, string>>;
  readonly others: Readonly<Record<string, string>>;
}

const PACKAGE =
  '{"name":"x","version":"1.0.0","scripts":{"test":"vitest run"},"dependencies":{"openai":"4"}}';
const COMPOSE =
  'services:\n  web:\n    image: nginx:1.27\n    ports: ["80:80"]\n    healthcheck:\n      timeout: 5s\n      retries: 3\n';
const WORKFLOW =
  'name: ci\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    timeout-minutes: 10\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm test\n';
const OPENAPI =
  'openapi: 3.1.0\ninfo: {title: Chat, version: "1"}\npaths:\n  /chat:\n    post:\n      requestBody:\n        content:\n          application/json:\n            schema:\n              properties:\n                model: {type: string, example: gpt-4o}\n                temperature: {type: number}\n                tools: {type: array}\n                instructions: {type: string, description: What the model is told to do.}\n';
const K8S =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: agent}\nspec:\n  template:\n    spec:\n      containers:\n        - name: agent\n          image: agent:1\n          env:\n            - {name: MODEL, value: gpt-4o}\n';
const I18N =
  '{"chat":{"model":"Modell","prompt":"Was möchten Sie wissen?","tools":"Werkzeuge","temperature":"Temperatur","instructions":"Bitte lesen Sie die Anleitung"}}';

/** The half that the rules may be tuned on. */
export const SEEN: readonly LayoutCase[] = [
  {
    name: 'CrewAI',
    agents: {
      'src/crew/config/agents.yaml':
        'researcher:\n  role: >\n    {topic} Senior Data Researcher\n  goal: >\n    Uncover cutting-edge developments in {topic}\n  backstory: >\n    You are a seasoned researcher.\n',
      'src/crew/config/tasks.yaml':
        'research_task:\n  description: >\n    Conduct a thorough research about {topic}\n  expected_output: >\n    A list with 10 bullet points\n  agent: researcher\n',
    },
    others: {
      'pyproject.toml':
        '[project]\nname = "crew"\nversion = "0.1.0"\n[tool.crewai]\ntype = "crew"\n',
      'src/crew/main.py': '',
    },
  },
  {
    name: 'own YAML in agents/, prompts beside it',
    agents: {
      'agents/researcher.yaml':
        'name: researcher\ntools:\n  web_search:\n    timeout_ms: 800\nprompt: prompts/researcher.md\n',
      'agents/writer.yaml': 'name: writer\nmodel: claude-sonnet-4\n',
      'prompts/researcher.md': '# Research\n',
    },
    others: { 'docker-compose.yml': COMPOSE, 'README.md': '' },
  },
  {
    name: 'OpenAI Agents in Python with one settings file',
    agents: {
      'config/agent_settings.yaml':
        'triage:\n  model: gpt-4o-mini\n  instructions: Route each question to the right specialist.\n  handoffs: [billing, support]\nbilling:\n  model: gpt-4o\n  instructions: Answer questions about invoices.\n',
    },
    others: {
      'config/logging.yaml':
        'version: 1\nhandlers:\n  console:\n    class: logging.StreamHandler\n    level: INFO\n',
      'main.py': '',
    },
  },
  {
    name: 'LangGraph',
    agents: {
      'src/agent/config.json':
        '{"model":"anthropic/claude-3-5-sonnet","system_prompt":"You are a helpful assistant.","max_search_results":5,"recursion_limit":25}',
    },
    others: {
      'langgraph.json':
        '{"dependencies":["."],"graphs":{"agent":"./src/agent/graph.py:graph"},"env":".env"}',
      'tests/cassettes/a.yaml': 'interactions:\n- request:\n    body: \'{"model":"gpt-4o"}\'\n',
    },
  },
  {
    name: 'Claude Code',
    agents: {
      '.claude/agents/reviewer.md': '---\nname: reviewer\ntools: Read\n---\n',
      '.claude/settings.json': '{"permissions":{"allow":[]}}',
      'CLAUDE.md': '',
    },
    others: { 'package.json': PACKAGE, 'tsconfig.json': '{"compilerOptions":{}}' },
  },
  {
    name: 'an MCP file in the root',
    agents: {
      '.mcp.json':
        '{"mcpServers":{"github":{"command":"npx","args":["-y","@modelcontextprotocol/server-github"]}}}',
    },
    others: { 'package.json': PACKAGE, 'data.json': '[1,2,3]' },
  },
  {
    name: 'promptfoo: prompts yes, the judge no',
    agents: { 'prompts/summary.txt': 'Summarise {{text}}' },
    others: {
      'promptfooconfig.yaml':
        'description: Summaries\nprompts: [file://prompts/summary.txt]\nproviders:\n  - id: openai:gpt-4o\n    config: {temperature: 0}\ntests:\n  - vars: {text: A long text}\n    assert:\n      - type: llm-rubric\n        value: is short\n',
    },
  },
  {
    name: 'AutoGen component JSON',
    agents: {
      'agents/team.json':
        '{"provider":"autogen_agentchat.teams.RoundRobinGroupChat","component_type":"team","config":{"participants":[{"provider":"autogen_agentchat.agents.AssistantAgent","config":{"name":"assistant","model_client":{"provider":"OpenAIChatCompletionClient","config":{"model":"gpt-4o"}},"system_message":"You are a helpful assistant.","tools":[]}}],"max_turns":10}}',
    },
    others: { 'requirements.txt': '', 'OAI_CONFIG_LIST.example': '' },
  },
  {
    name: 'TOML agents',
    agents: {
      'agents/support.toml':
        'model = "gpt-4o"\ntemperature = 0.2\n\n[tools.lookup]\ntimeout_ms = 1500\n',
    },
    others: {
      'Cargo.toml': '[package]\nname = "x"\nversion = "0.1.0"\n[dependencies]\ntokio = "1"\n',
      'rustfmt.toml': 'max_width = 100\n',
    },
  },
  {
    name: 'tool definitions',
    agents: {
      'tools/search.json':
        '{"name":"search","description":"Search the web for a query","parameters":{"type":"object","properties":{"query":{"type":"string"}}},"timeout_ms":5000}',
    },
    others: { 'tools/tsconfig.json': '{"compilerOptions":{"strict":true}}', 'tools/build.py': '' },
  },
  {
    name: 'a web shop',
    agents: {},
    others: {
      'package.json': PACKAGE,
      'docker-compose.yml': COMPOSE,
      '.github/workflows/ci.yml': WORKFLOW,
      'locales/de.json': I18N,
      'src/index.ts': '',
    },
  },
  {
    name: 'an API of a chat service',
    agents: {},
    others: {
      'api/openapi.yaml': OPENAPI,
      'api/openapi.json':
        '{"openapi":"3.0.0","paths":{},"components":{"schemas":{"Run":{"properties":{"model":{"type":"string"},"instructions":{"type":"string"},"tools":{"type":"array"}}}}}}',
    },
  },
  {
    name: 'Kubernetes manifests in agents/',
    agents: {},
    others: {
      'agents/daemonset.yaml': K8S,
      'agents/values.yaml':
        'image:\n  repository: datadog/agent\n  tag: "7"\nresources:\n  limits: {cpu: 200m}\n',
      'Chart.yaml': 'apiVersion: v2\nname: agents\nversion: 1.0.0\n',
    },
  },
  {
    name: 'machine learning',
    agents: {},
    others: {
      'configs/train.yaml':
        'model: resnet50\noptimizer: adamw\nlearning_rate: 0.001\nbatch_size: 64\ntemperature: 0.07\nepochs: 10\n',
      'configs/llm.yaml':
        'base_model: meta-llama/Llama-3.1-8B\nsequence_len: 4096\nlearning_rate: 0.0002\n',
    },
  },
  {
    name: 'Ansible',
    agents: {},
    others: {
      'site.yml':
        '- hosts: all\n  roles: [common]\n  tasks:\n    - name: Install\n      apt: {name: nginx}\n',
      'group_vars/all.yml': 'ntp_server: pool.ntp.org\n',
      'roles/common/tasks/main.yml': '- name: a\n  command: ls\n  retries: 3\n',
    },
  },
  {
    name: 'a catalogue of cars',
    agents: {},
    others: {
      'data/cars.json':
        '[{"model":"X5","price":60000,"description":"A large car with much room"},{"model":"A4","price":40000}]',
      'data/tools.yaml': 'tools:\n  - {name: hammer, price: 10}\n',
    },
  },
  {
    name: 'an agent beside other settings of its folder',
    agents: {
      'settings/assistant.yml':
        'llm:\n  provider: openai\n  model: gpt-4o\nsystem_prompt: |\n  You help people with their taxes.\ntools: [calculator, forms]\n',
    },
    others: {
      'settings/database.yml': 'host: localhost\nport: 5432\ntimeout: 30\n',
      'settings/redis.yml': 'url: redis://localhost\n',
    },
  },
];

/** The half that nothing was tuned on. */
export const HELD_OUT: readonly LayoutCase[] = [
  {
    name: 'CrewAI with a database file beside it',
    agents: {
      'config/agents.yaml':
        'writer:\n  role: Technical writer\n  goal: Write clear documentation\n  backstory: You have written manuals for ten years.\n  max_iter: 5\n',
      'config/tasks.yaml':
        'write:\n  description: Write the chapter on {subject}\n  expected_output: Markdown of two pages\n  agent: writer\n',
    },
    others: {
      'config/database.yaml': 'production:\n  adapter: postgresql\n  pool: 5\n  timeout: 5000\n',
    },
  },
  {
    name: 'Codex',
    agents: { '.codex/config.toml': 'model = "gpt-5"\n', 'AGENTS.md': '' },
    others: {
      'go.mod': '',
      'main.go': '',
      '.golangci.yml': 'run:\n  timeout: 5m\nlinters:\n  enable: [errcheck]\n',
    },
  },
  {
    name: 'Semantic Kernel and Prompty',
    agents: {
      'prompts/chat/config.json':
        '{"schema":1,"description":"Chat","execution_settings":{"default":{"max_tokens":1000,"temperature":0.7}}}',
      'prompts/chat/skprompt.txt': 'You are {{$name}}',
    },
    others: { 'appsettings.json': '{"Logging":{"LogLevel":{"Default":"Information"}}}' },
  },
  {
    name: 'assistants with their own names',
    agents: {
      'bots/support.json':
        '{"name":"Support","model":"gpt-4-turbo","instructions":"You answer questions of customers politely.","tools":[{"type":"file_search"}],"temperature":0.3}',
      'bots/sales.json':
        '{"name":"Sales","model":"gpt-4-turbo","instructions":"You qualify leads and book meetings.","tools":[]}',
    },
    others: {
      'package.json': PACKAGE,
      'vercel.json': '{"functions":{"api/*.ts":{"maxDuration":30}}}',
    },
  },
  {
    name: 'MCP in a client configuration',
    agents: {
      'config/claude_desktop_config.json':
        '{"mcpServers":{"fs":{"command":"node","args":["server.js"]},"web":{"url":"https://example.org/mcp"}}}',
    },
    others: { 'config/eslint.json': '{"rules":{"no-console":"off"}}' },
  },
  {
    name: 'Python agents in nested folders',
    agents: {
      'services/triage/agents/triage.yml':
        'agent:\n  name: triage\n  llm: gpt-4o\n  max_retries: 2\n',
      'services/billing/agents/billing.yml':
        'agent:\n  name: billing\n  llm: gpt-4o\n  timeout_seconds: 20\n',
    },
    others: {
      'services/triage/Dockerfile': '',
      'services/triage/deploy.yml': K8S,
      'docker-compose.yaml': COMPOSE,
    },
  },
  {
    name: 'LlamaIndex workflow settings',
    agents: {
      'workflows/settings.yaml':
        'agents:\n  - name: retriever\n    system_prompt: Find the passages that answer the question.\n    tools: [vector_search]\n    timeout: 30\n  - name: writer\n    system_prompt: Write the answer with its sources.\n    tools: []\n',
    },
    others: { 'mkdocs.yml': 'site_name: Docs\nnav:\n  - Home: index.md\nplugins: [search]\n' },
  },
  {
    name: 'tools with limits of their own',
    agents: {
      'tools/http.yaml':
        'name: http_get\ndescription: Fetch a page over HTTP\ntimeout_ms: 2000\nretries: 1\n',
      'tools/sql.yaml': 'name: sql\ndescription: Run a read-only query\ntimeout_ms: 10000\n',
    },
    others: {
      'tools/clang-format.yaml': 'BasedOnStyle: Google\nIndentWidth: 4\n',
      'setup.cfg': '',
    },
  },
  {
    name: 'evaluations are not agents',
    agents: {
      'agents/planner.yaml':
        'model: o3-mini\nreasoning_effort: high\nprompt: Plan the work in small steps.\n',
    },
    others: {
      'evals/planner.yaml': 'model: gpt-4o\nprompt: Judge whether the plan is good.\ntools: []\n',
      'tests/fixtures/agent.yaml': 'model: gpt-4o\ninstructions: Be a fixture for tests.\n',
    },
  },
  {
    name: 'GitHub Actions and Dependabot',
    agents: {},
    others: {
      '.github/workflows/release.yml': WORKFLOW,
      '.github/dependabot.yml':
        'version: 2\nupdates:\n  - package-ecosystem: npm\n    directory: /\n',
      'action.yml':
        'name: Setup\ndescription: Set the tools up for a build\ninputs:\n  tools: {description: Tools to install, default: node}\nruns:\n  using: composite\n  steps: []\n',
    },
  },
  {
    name: 'a translated application',
    agents: {},
    others: {
      'src/locales/en.json':
        '{"assistant":{"model":"Model","prompt":"Ask me anything you like","tools":"Tools","instructions":"Write what the assistant should do"}}',
      'src/locales/fr.json': I18N,
    },
  },
  {
    name: 'Serverless and Terraform',
    agents: {},
    others: {
      'serverless.yml':
        'service: api\nprovider:\n  name: aws\n  runtime: nodejs22.x\n  timeout: 30\nfunctions:\n  hello:\n    handler: handler.hello\n    description: Says hello to people\n',
      'infra/vars.json': '{"region":"eu-west-1","retries":3}',
    },
  },
  {
    name: 'JSON schemas of an agent format',
    agents: {},
    others: {
      'schemas/agent.schema.json':
        '{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"model":{"type":"string","default":"gpt-4o"},"instructions":{"type":"string"},"tools":{"type":"array"}}}',
    },
  },
  {
    name: 'home automation and printers',
    agents: {},
    others: {
      'configuration.yaml':
        'automation:\n  - alias: Light\n    trigger: {platform: state}\n    action: {service: light.turn_on}\nprinter:\n  model: HP-4250\n  instructions: Press the green button twice\n  timeout: 30\n',
    },
  },
  {
    name: 'GitLab agents for Kubernetes',
    agents: {},
    others: {
      '.gitlab/agents/prod/config.yaml':
        'gitops:\n  manifest_projects:\n    - id: group/project\nci_access:\n  projects:\n    - id: group/project\n',
      '.gitlab-ci.yml': 'stages: [test]\ntest:\n  script: make test\n  timeout: 10m\n  retry: 2\n',
    },
  },
  {
    name: 'a monorepo of packages',
    agents: {},
    others: {
      'packages/tools/package.json': PACKAGE,
      'packages/agents/package.json': PACKAGE,
      'packages/agents/tsconfig.json': '{"extends":"../tsconfig.json"}',
      'turbo.json': '{"tasks":{"build":{"outputs":["dist/**"]}}}',
    },
  },
  {
    name: 'settings in JSON below a source folder',
    agents: {
      'src/assistant/settings.json':
        '{"agent":{"model":"mistral-large-2","systemPrompt":"You are the assistant of a library.","maxTurns":8,"tools":{"catalogue":{"timeoutMs":1500}}}}',
    },
    others: {
      'src/assistant/messages.json': '{"greeting":"Hello, how can I help you?","bye":"Good bye"}',
    },
  },
];

/** Written after the rules were tuned, and run once before anything was changed for them. */
export const FRESH: readonly LayoutCase[] = [
  {
    name: 'one agent in the root',
    agents: {
      'agent.yaml':
        'name: helper\nmodel: gpt-4.1\ninstructions: Help with the questions of customers.\n',
    },
    others: {
      'renovate.json': '{"extends":["config:recommended"],"timezone":"UTC"}',
      'compose.yaml': COMPOSE,
    },
  },
  {
    name: 'Haystack pipeline beside an agent',
    agents: {
      'pipelines/rag_agent.yaml':
        'components:\n  agent:\n    init_parameters:\n      system_prompt: Answer with the documents only.\n      tools: [{type: search}]\n      max_agent_steps: 10\n',
    },
    others: {
      'pipelines/index.yaml': 'components:\n  writer:\n    init_parameters: {policy: NONE}\n',
    },
  },
  {
    name: 'LiteLLM proxy and a bot',
    agents: {
      'bot/config.toml':
        '[llm]\nmodel = "openai/gpt-4o"\nsystem_prompt = "You are a bot for a chat room."\nmax_tokens = 800\n',
    },
    others: {
      'bot/pyproject.toml': '[project]\nname = "bot"\nversion = "1"\ndependencies = ["litellm"]\n',
      'netlify.toml': '[build]\ncommand = "make"\n',
    },
  },
  {
    name: 'thresholds of tools in one file',
    agents: {
      'conf/runtime.yaml':
        'agents:\n  clerk:\n    tools:\n      ocr: {timeout_ms: 900, retries: 2}\n      mail: {timeout_ms: 400}\n',
    },
    others: { 'conf/nginx.yaml': 'upstream: app\nproxy_read_timeout: 30s\n' },
  },
  {
    name: 'Jenkins agents and Buildkite',
    agents: {},
    others: {
      'jenkins/agents.yaml':
        'jenkins:\n  nodes:\n    - permanent:\n        name: linux\n        remoteFS: /home/jenkins\n        numExecutors: 2\n',
      'ci/agents.json': '{"agents":[{"name":"linux-1","queue":"default","timeout":30}]}',
    },
  },
  {
    name: 'insurance agents',
    agents: {},
    others: {
      'data/agents.json':
        '[{"name":"Ann Smith","role":"Senior broker","phone":"555"},{"name":"Bob Lee","role":"Broker"}]',
      'data/policies.yaml': 'instructions: Send the form by post to us.\nmodel: A-12\n',
    },
  },
  {
    name: 'Airflow and dbt',
    agents: {},
    others: {
      'dbt_project.yml':
        'name: shop\nversion: "1.0"\nmodel-paths: [models]\nmodels:\n  shop: {materialized: view}\n',
      'models/schema.yml':
        'version: 2\nmodels:\n  - name: orders\n    description: One row for each order\n',
      'dags/config.yaml': 'retries: 3\ntimeout: 300\nsystem: linux\n',
    },
  },
];
