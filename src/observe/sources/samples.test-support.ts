/**
 * Beginnings of files as tools write them, with the kind of source that each of them is; null for files that are no
 * telemetry. Written by hand after each tool's documentation; no line is of a real system.
 */
export interface KnownSample {
  readonly name: string;
  readonly path: string;
  readonly head: string;
  readonly kind: string | null;
}

const lines = (...all: readonly (string | object)[]) =>
  all.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');
const pretty = (value: unknown) => JSON.stringify(value, null, 2);

const LOGS: Readonly<Record<string, string>> = {
  'python logging.log': lines(
    '2026-11-17 09:12:01,332 - agent.search - INFO - query sent',
    '2026-11-17 09:12:04,871 - agent.search - ERROR - request failed',
    'Traceback (most recent call last):',
    '  File "/srv/agent/search.py", line 41, in run',
    '    return call()',
    'TimeoutError: no answer after 3.5 s',
    '2026-11-17 09:12:05,002 - agent.search - INFO - next query',
  ),
  'logback.log': lines(
    '09:12:01.332 [main] INFO  com.shop.Orders - started in 3.1 s',
    '09:12:04.871 [http-1] ERROR com.shop.Orders - order refused',
    'java.lang.IllegalStateException: no stock',
    '\tat com.shop.Orders.place(Orders.java:88)',
    '\tat com.shop.Http.handle(Http.java:12)',
    '09:12:05.001 [http-2] WARN  com.shop.Orders - slow',
  ),
  'log4j.log': lines(
    '2026-11-17T09:12:01,332 INFO  [main] o.a.k.Server:42 - started',
    '2026-11-17T09:12:04,871 ERROR [worker-3] o.a.k.Server:77 - lost a partition',
    '2026-11-17T09:12:09,100 INFO  [worker-3] o.a.k.Server:80 - joined again',
  ),
  'nginx access.log': lines(
    '203.0.113.7 - - [17/Nov/2026:09:12:01 +0000] "GET /v1/search?q=a HTTP/1.1" 200 512 "-" "curl/8.9"',
    '203.0.113.8 - bob [17/Nov/2026:09:12:02 +0000] "POST /v1/orders HTTP/2.0" 502 157 "https://shop.test/" "Mozilla/5.0 (X11)"',
    '203.0.113.7 - - [17/Nov/2026:09:12:03 +0000] "GET /v1/search?q=b HTTP/1.1" 200 498 "-" "curl/8.9"',
  ),
  'nginx error.log': lines(
    '2026/11/17 09:12:02 [error] 812#812: *31 upstream timed out (110: Connection timed out) while reading response header from upstream',
    '2026/11/17 09:12:09 [warn] 812#812: *33 an upstream response is buffered to a temporary file',
    '2026/11/17 09:12:10 [error] 812#812: *34 connect() failed (111: Connection refused)',
  ),
  'apache error_log': lines(
    '[Tue Nov 17 09:12:01.123456 2026] [core:notice] [pid 77:tid 140] AH00094: Command line: httpd',
    '[Tue Nov 17 09:12:02.223456 2026] [proxy:error] [pid 78:tid 141] [client 203.0.113.7:5123] AH00898: Error reading from remote server',
    '[Tue Nov 17 09:12:04.323456 2026] [mpm_event:notice] [pid 77:tid 140] AH00489: resuming normal operations',
  ),
  syslog: lines(
    'Nov 17 09:12:01 worker-1 sshd[812]: Accepted publickey for deploy from 203.0.113.9 port 51122',
    'Nov 17 09:12:02 worker-1 agent[99]: tool search failed: timeout',
    'Nov  7 09:12:03 worker-1 kernel: [12345.6] eth0: link up',
  ),
  'syslog 5424.log': lines(
    '<165>1 2026-11-17T09:12:01.003Z worker-1 agent 99 ID47 [origin ip="203.0.113.1"] started',
    '<11>1 2026-11-17T09:12:02.003Z worker-1 agent 99 - - tool search failed',
    '<14>1 2026-11-17T09:12:03.003Z worker-1 agent 99 - - done',
  ),
  'klog.log': lines(
    'I1117 09:12:01.332123       1 controller.go:114] Starting controller',
    'E1117 09:12:04.871456       1 reflector.go:138] Failed to watch *v1.Pod: connection refused',
    'W1117 09:12:05.001000       1 warnings.go:70] deprecated in v1.31',
  ),
  'pino.log': lines(
    { level: 30, time: 1794906721332, pid: 7, hostname: 'w1', msg: 'listening' },
    {
      level: 50,
      time: 1794906724871,
      pid: 7,
      hostname: 'w1',
      err: { type: 'Error', message: 'no route', stack: 'Error: no route\n    at x' },
      msg: 'no route',
    },
    { level: 30, time: 1794906725000, pid: 7, hostname: 'w1', msg: 'done' },
  ),
  'bunyan.log': lines(
    {
      name: 'shop',
      hostname: 'w1',
      pid: 7,
      level: 30,
      msg: 'hi',
      time: '2026-11-17T09:12:01.332Z',
      v: 0,
    },
    {
      name: 'shop',
      hostname: 'w1',
      pid: 7,
      level: 50,
      msg: 'refused',
      time: '2026-11-17T09:12:04.332Z',
      v: 0,
    },
  ),
  'winston.log': lines(
    { level: 'info', message: 'up', service: 'orders', timestamp: '2026-11-17T09:12:01.332Z' },
    { level: 'error', message: 'down', service: 'orders', timestamp: '2026-11-17T09:12:02.332Z' },
  ),
  'zap.log': lines(
    { level: 'info', ts: 1794906721.332, caller: 'server/main.go:31', msg: 'ready' },
    {
      level: 'error',
      ts: 1794906724.871,
      logger: 'sync',
      caller: 'sync/run.go:9',
      msg: 'gave up',
      error: 'context deadline exceeded',
      stacktrace: 'main.run',
    },
  ),
  'slog.log': lines(
    { time: '2026-11-17T09:12:01.332+01:00', level: 'INFO', msg: 'ready', port: 8080 },
    { time: '2026-11-17T09:12:04.871+01:00', level: 'ERROR', msg: 'gave up', err: 'EOF' },
  ),
  'logfmt.log': lines(
    'ts=2026-11-17T09:12:01.332Z level=info msg="listening" addr=:9090',
    'ts=2026-11-17T09:12:04.871Z level=error caller=scrape.go:44 msg="scrape failed" err="connection refused"',
    'ts=2026-11-17T09:12:05.332Z level=warn msg="slow"',
  ),
  'journal.json': lines(
    {
      __CURSOR: 's=1',
      __REALTIME_TIMESTAMP: '1794906721332123',
      PRIORITY: '6',
      SYSLOG_IDENTIFIER: 'agent',
      _PID: '99',
      MESSAGE: 'started',
    },
    {
      __CURSOR: 's=2',
      __REALTIME_TIMESTAMP: '1794906724871456',
      PRIORITY: '3',
      SYSLOG_IDENTIFIER: 'agent',
      _PID: '99',
      MESSAGE: 'tool search failed',
    },
  ),
  'docker-json.log': lines(
    {
      log: '2026-11-17 09:12:01 INFO started\n',
      stream: 'stdout',
      time: '2026-11-17T09:12:01.332123456Z',
    },
    { log: 'ERROR no answer\n', stream: 'stderr', time: '2026-11-17T09:12:04.871123456Z' },
  ),
  'docker timestamps.log': lines(
    '2026-11-17T09:12:01.332123456Z started',
    '2026-11-17T09:12:04.871123456Z error: no answer from search',
    '2026-11-17T09:12:05.871123456Z done',
  ),
  'cri 0.log': lines(
    '2026-11-17T09:12:01.332123456Z stdout F started',
    '2026-11-17T09:12:04.871123456Z stderr P half of a ',
    '2026-11-17T09:12:04.871123999Z stderr F line',
  ),
  'rust tracing.log': lines(
    '2026-11-17T09:12:01.332123Z  INFO agent::net: listening addr=0.0.0.0:80',
    '2026-11-17T09:12:04.871456Z ERROR agent::tool: call failed tool="search" err=timeout',
    '2026-11-17T09:12:05.871456Z  WARN agent::tool: slow',
  ),
  'go log.log': lines(
    '2026/11/17 09:12:01 listening on :8080',
    '2026/11/17 09:12:04 http: panic serving 203.0.113.7:5123: runtime error: index out of range',
    '2026/11/17 09:12:05 listening again',
  ),
  'compose.log': lines(
    'web-1     | 2026-11-17T09:12:01.332Z INFO ready',
    'worker-1  | 2026-11-17T09:12:04.871Z ERROR job failed',
    'web-1     | 2026-11-17T09:12:05.332Z INFO still ready',
  ),
};

const OWN = lines(
  {
    event_type: 'tool_call',
    timestamp: '2026-11-17T09:12:01Z',
    session_id: 's1',
    agent: 'a',
    tool: 't',
    success: true,
  },
  {
    event_type: 'feedback',
    timestamp: '2026-11-17T09:12:02Z',
    session_id: 's1',
    agent: 'a',
    rating: 'thumbs_up',
  },
);

const TABLES: Readonly<Record<string, string>> = {
  'calls.csv': lines(
    'ts,service,op,status,took_ms,detail',
    '2026-11-17T09:12:01Z,shop,search,ok,120,',
    '2026-11-17T09:12:02Z,shop,order,error,3501,"no answer, gave up"',
    '2026-11-17T09:12:03Z,shop,search,ok,98,',
    '2026-11-17T09:12:04Z,help,search,ok,131,',
    '2026-11-17T09:12:05Z,help,order,error,3502,"no answer, gave up"',
    '2026-11-17T09:12:06Z,shop,search,ok,101,',
  ),
  'anrufe.csv': lines(
    'zeit;dienst;werkzeug;erfolg;dauer_ms',
    '2026-11-17 09:12:01;kasse;suche;true;120',
    '2026-11-17 09:12:02;kasse;lager;false;3501',
    '2026-11-17 09:12:03;kasse;suche;true;98',
    '2026-11-17 09:12:04;hilfe;lager;true;131',
    '2026-11-17 09:12:05;hilfe;suche;false;99',
    '2026-11-17 09:12:06;hilfe;suche;true;99',
  ),
  'calls.tsv': lines(
    'when\tagent\ttool\tsuccess\tlatency',
    '1794906721\tshop\tsearch\t1\t0.120',
    '1794906722\tshop\torder\t0\t3.501',
    '1794906723\tshop\tsearch\t1\t0.098',
    '1794906724\thelp\torder\t1\t0.131',
    '1794906725\thelp\tsearch\t0\t0.099',
  ),
  'calls.psv': lines(
    'time|agent|tool|ok|seconds|session',
    '2026-11-17 09:12:01,104|shop|search|yes|0.120|a',
    '2026-11-17 09:12:02,204|shop|order|no|3.501|a',
    '2026-11-17 09:12:03,304|help|search|yes|0.098|b',
    '2026-11-17 09:12:04,404|help|order|yes|0.131|c',
  ),
  'calls.jsonl': lines(
    { at: 1794906721332, who: 'shop', did: 'search', ok: true, took: 120 },
    { at: 1794906722332, who: 'shop', did: 'order', ok: false, took: 3501 },
    { at: 1794906723332, who: 'shop', did: 'search', ok: true, took: 98 },
    { at: 1794906724332, who: 'help', did: 'order', ok: true, took: 131 },
    { at: 1794906725332, who: 'help', did: 'search', ok: false, took: 99 },
  ),
};

const LANGFUSE: Readonly<Record<string, string>> = {
  'trace-1.json': pretty({
    id: 't1',
    timestamp: '2026-11-17T09:12:01.332Z',
    name: 'answer',
    sessionId: 's1',
    release: 'v1',
    projectId: 'p',
    public: false,
    bookmarked: false,
    tags: [],
    observations: [
      {
        id: 'o1',
        traceId: 't1',
        type: 'GENERATION',
        name: 'chat',
        startTime: '2026-11-17T09:12:01.400Z',
        endTime: '2026-11-17T09:12:03.400Z',
        model: 'gpt-5',
        usage: { input: 10, output: 4, total: 14, unit: 'TOKENS' },
        level: 'DEFAULT',
        statusMessage: null,
        parentObservationId: null,
      },
      {
        id: 'o2',
        traceId: 't1',
        type: 'SPAN',
        name: 'search',
        startTime: '2026-11-17T09:12:03.400Z',
        endTime: '2026-11-17T09:12:06.900Z',
        level: 'ERROR',
        statusMessage: 'timeout',
        parentObservationId: 'o1',
      },
    ],
    scores: [
      {
        id: 'c1',
        traceId: 't1',
        name: 'helpful',
        value: 0,
        dataType: 'BOOLEAN',
        timestamp: '2026-11-17T09:13:00Z',
        source: 'ANNOTATION',
      },
    ],
  }),
  'observations page.json': JSON.stringify({
    data: [
      {
        id: 'o1',
        traceId: 't1',
        type: 'TOOL',
        name: 'search',
        startTime: '2026-11-17T09:12:01.400Z',
        endTime: '2026-11-17T09:12:03.400Z',
        level: 'ERROR',
        statusMessage: 'refused',
        parentObservationId: null,
        usageDetails: {},
        costDetails: {},
      },
    ],
    meta: { page: 1, limit: 50, totalItems: 1, totalPages: 1 },
  }),
  'observations_v2.jsonl': lines(
    {
      id: 'o1',
      trace_id: 't1',
      project_id: 'p',
      type: 'GENERATION',
      name: 'chat',
      start_time: '2026-11-17 09:12:01.332000',
      end_time: '2026-11-17 09:12:02.332000',
      level: 'DEFAULT',
      status_message: null,
      parent_observation_id: null,
      provided_model_name: 'gpt-5',
      usage_details: { input: 3, output: 9 },
      total_cost: 0.002,
      session_id: 's1',
      trace_name: 'answer',
    },
    {
      id: 'o2',
      trace_id: 't1',
      project_id: 'p',
      type: 'TOOL',
      name: 'search',
      start_time: '2026-11-17 09:12:02.332000',
      end_time: '2026-11-17 09:12:05.832000',
      level: 'ERROR',
      status_message: 'timeout',
      parent_observation_id: 'o1',
      session_id: 's1',
      trace_name: 'answer',
    },
  ),
  'observations.csv': lines(
    'id,traceId,type,name,startTime,endTime,level,statusMessage,model,parentObservationId,totalCost',
    'o1,t1,GENERATION,chat,2026-11-17T09:12:01.332Z,2026-11-17T09:12:02.332Z,DEFAULT,,gpt-5,,0.002',
    'o2,t1,SPAN,search,2026-11-17T09:12:02.332Z,2026-11-17T09:12:05.832Z,ERROR,"timeout, no answer",,o1,',
  ),
};

const OPENAI: Readonly<Record<string, string>> = {
  'completions.jsonl': lines(
    {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1794906721,
      model: 'gpt-5',
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            role: 'assistant',
            content: null,
            tool_calls: [
              {
                id: 'call_1',
                type: 'function',
                function: { name: 'search', arguments: '{"q":"a"}' },
              },
            ],
          },
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
    },
    {
      id: 'chatcmpl-2',
      object: 'chat.completion',
      created: 1794906723,
      model: 'gpt-5',
      choices: [
        { index: 0, finish_reason: 'length', message: { role: 'assistant', content: 'half' } },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 99, total_tokens: 108 },
    },
  ),
  'batch_output.jsonl': lines(
    {
      id: 'batch_req_1',
      custom_id: 'row-1',
      response: {
        status_code: 200,
        request_id: 'r1',
        body: {
          id: 'chatcmpl-1',
          object: 'chat.completion',
          created: 1794906721,
          model: 'gpt-4o',
          choices: [],
        },
      },
      error: null,
    },
    {
      id: 'batch_req_2',
      custom_id: 'row-2',
      response: {
        status_code: 429,
        request_id: 'r2',
        body: {
          error: { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' },
        },
      },
      error: null,
    },
  ),
  'batch_errors.jsonl': lines({
    id: 'batch_req_3',
    custom_id: 'row-3',
    response: null,
    error: {
      code: 'batch_expired',
      message: 'This request could not be executed before the completion window expired.',
    },
  }),
  'evals.jsonl': lines(
    {
      spec: {
        completion_fns: ['gpt-4'],
        eval_name: 'test-match.s1',
        base_eval: 'test-match',
        split: 's1',
        run_config: {},
        created_by: '',
        run_id: '2611170912AB',
        created_at: '2026-11-17 09:12:01.000000',
      },
    },
    {
      run_id: '2611170912AB',
      event_id: 0,
      sample_id: 'test-match.s1.0',
      type: 'match',
      data: { correct: true, expected: 'x', picked: 'x' },
      created_by: '',
      created_at: '2026-11-17 09:12:02.000000+00:00',
    },
    {
      run_id: '2611170912AB',
      event_id: 1,
      sample_id: 'test-match.s1.1',
      type: 'match',
      data: { correct: false, expected: 'x', picked: 'y' },
      created_by: '',
      created_at: '2026-11-17 09:12:03.000000+00:00',
    },
    { final_report: { accuracy: 0.5 } },
  ),
  'fine-tuning.jsonl': lines(
    {
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: 'find a' },
        {
          role: 'assistant',
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'search', arguments: '{"q":"a"}' },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'Error: timeout' },
        { role: 'assistant', content: 'sorry' },
      ],
      tools: [],
    },
    {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'hello' },
      ],
    },
  ),
  'steps.json': pretty({
    object: 'list',
    data: [
      {
        id: 'step_1',
        object: 'thread.run.step',
        created_at: 1794906721,
        run_id: 'run_1',
        thread_id: 'thread_1',
        assistant_id: 'asst_1',
        type: 'tool_calls',
        status: 'failed',
        completed_at: null,
        failed_at: 1794906724,
        last_error: { code: 'server_error', message: 'no' },
        step_details: {
          type: 'tool_calls',
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'search', arguments: '{}', output: null },
            },
          ],
        },
      },
    ],
  }),
};

const AUDITS: Readonly<Record<string, string>> = {
  'audit.log': lines(
    {
      timestamp: '2026-11-17T09:12:01Z',
      action: 'read_file',
      agent: 'helper',
      success: true,
      error: null,
      duration_ms: 12,
    },
    {
      timestamp: '2026-11-17T09:12:02Z',
      action: 'write_patch',
      agent: 'helper',
      success: false,
      error: 'path not allowed',
      duration_ms: 3,
    },
  ),
  'mcp-audit.jsonl': lines(
    {
      timestamp: '2026-11-17T09:12:01Z',
      server_name: 'files',
      tool_name: 'read',
      tool_args: { path: 'a' },
      blocked: false,
      block_reason: null,
      duration_ms: 12,
    },
    {
      timestamp: '2026-11-17T09:12:02Z',
      server_name: 'files',
      tool_name: 'delete',
      tool_args: { path: 'a' },
      blocked: true,
      block_reason: 'rule 3',
      duration_ms: 1,
    },
  ),
  'gateway.jsonl': lines(
    {
      schema_version: '1',
      timestamp: '2026-11-17T09:12:01Z',
      request_id: 'r1',
      tenant: 't',
      subject: 'u',
      method: 'POST',
      path: '/mcp',
      status_code: 200,
      upstream: 'files',
      decision: 'allow',
      tool: 'read',
      latency_ms: 20,
    },
    {
      schema_version: '1',
      timestamp: '2026-11-17T09:12:02Z',
      request_id: 'r2',
      tenant: 't',
      subject: 'u',
      method: 'POST',
      path: '/mcp',
      status_code: 403,
      upstream: 'files',
      decision: 'deny',
      tool: 'delete',
      reason: 'policy',
      latency_ms: 2,
    },
  ),
  'litellm.jsonl': lines(
    {
      id: 'c1',
      trace_id: 't1',
      call_type: 'acompletion',
      status: 'success',
      response_cost: 0.01,
      prompt_tokens: 10,
      completion_tokens: 4,
      total_tokens: 14,
      startTime: 1794906721.1,
      endTime: 1794906723.1,
      model: 'gpt-5',
      model_group: 'gpt',
      custom_llm_provider: 'openai',
      metadata: {},
    },
    {
      id: 'c2',
      trace_id: 't1',
      call_type: 'acompletion',
      status: 'failure',
      response_cost: 0,
      startTime: 1794906724.1,
      endTime: 1794906725.1,
      model: 'gpt-5',
      model_group: 'gpt',
      custom_llm_provider: 'openai',
      error_str: 'RateLimitError',
      error_information: {
        error_code: '429',
        error_class: 'RateLimitError',
        error_message: 'too many',
      },
      metadata: {},
    },
  ),
  'kong.log': lines(
    {
      started_at: 1794906721332,
      client_ip: '203.0.113.7',
      request: { method: 'GET', uri: '/search', size: '70' },
      response: { status: 200, size: '800' },
      latencies: { request: 40, kong: 2, proxy: 38 },
      service: { name: 'search' },
      route: { name: 'r' },
    },
    {
      started_at: 1794906722332,
      client_ip: '203.0.113.7',
      request: { method: 'GET', uri: '/search', size: '70' },
      response: { status: 503, size: '80' },
      latencies: { request: 60, kong: 2, proxy: -1 },
      service: { name: 'search' },
      route: { name: 'r' },
    },
  ),
  'envoy.log': lines(
    {
      start_time: '2026-11-17T09:12:01.332Z',
      method: 'GET',
      path: '/search',
      protocol: 'HTTP/1.1',
      response_code: 200,
      response_flags: '-',
      duration: 38,
      upstream_host: '10.0.0.4:80',
      upstream_cluster: 'search',
      request_id: 'r1',
    },
    {
      start_time: '2026-11-17T09:12:02.332Z',
      method: 'GET',
      path: '/search',
      protocol: 'HTTP/1.1',
      response_code: 504,
      response_flags: 'UT',
      duration: 15000,
      upstream_host: '10.0.0.4:80',
      upstream_cluster: 'search',
      request_id: 'r2',
    },
  ),
};

const TESTS: Readonly<Record<string, string>> = {
  'surefire.xml':
    '<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="shop.OrdersTest" time="1,034.2" tests="2" errors="0" skipped="0" failures="1">\n  <testcase name="places" classname="shop.OrdersTest" time="0.5"/>\n  <testcase name="refuses" classname="shop.OrdersTest" time="0.7"><failure message="expected 1" type="AssertionError">trace</failure></testcase>\n</testsuite>\n',
  'pytest.xml':
    '<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="0" failures="0" skipped="1" tests="2" time="0.1" timestamp="2026-11-17T09:12:01.000000+00:00" hostname="w1"><testcase classname="tests.test_a" name="test_x" time="0.001" /><testcase classname="tests.test_a" name="test_y" time="0.0"><skipped type="pytest.skip" message="later">x</skipped></testcase></testsuite></testsuites>',
  'playwright.json': pretty({
    config: { version: '1.65.0', projects: [] },
    suites: [
      {
        title: 'a.spec.ts',
        file: 'a.spec.ts',
        specs: [
          {
            title: 'opens',
            ok: true,
            tests: [
              {
                expectedStatus: 'passed',
                status: 'flaky',
                projectName: 'chromium',
                results: [
                  {
                    status: 'failed',
                    retry: 0,
                    duration: 100,
                    startTime: '2026-11-17T09:12:01.332Z',
                    errors: [{ message: 'late' }],
                  },
                  {
                    status: 'passed',
                    retry: 1,
                    duration: 90,
                    startTime: '2026-11-17T09:12:02.332Z',
                    errors: [],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
    errors: [],
    stats: {
      startTime: '2026-11-17T09:12:00.332Z',
      duration: 900,
      expected: 0,
      skipped: 0,
      unexpected: 0,
      flaky: 1,
    },
  }),
  'vitest.json': JSON.stringify({
    numTotalTestSuites: 1,
    numTotalTests: 2,
    numPassedTests: 1,
    numFailedTests: 1,
    success: false,
    startTime: 1794906721332,
    testResults: [
      {
        name: '/w/a.test.ts',
        status: 'failed',
        startTime: 1794906721400,
        endTime: 1794906721500,
        message: '',
        assertionResults: [
          {
            ancestorTitles: ['a'],
            fullName: 'a adds',
            title: 'adds',
            status: 'passed',
            duration: 2,
            failureMessages: [],
          },
          {
            ancestorTitles: ['a'],
            fullName: 'a breaks',
            title: 'breaks',
            status: 'failed',
            duration: 3,
            failureMessages: ['AssertionError: no'],
          },
        ],
      },
    ],
  }),
  'go-test.json': lines(
    { Time: '2026-11-17T09:12:01.332Z', Action: 'start', Package: 'shop' },
    { Time: '2026-11-17T09:12:01.432Z', Action: 'run', Package: 'shop', Test: 'TestA' },
    {
      Time: '2026-11-17T09:12:01.532Z',
      Action: 'output',
      Package: 'shop',
      Test: 'TestA',
      Output: '    a_test.go:9: no\n',
    },
    {
      Time: '2026-11-17T09:12:01.632Z',
      Action: 'fail',
      Package: 'shop',
      Test: 'TestA',
      Elapsed: 0.1,
    },
    { Time: '2026-11-17T09:12:01.732Z', Action: 'fail', Package: 'shop', Elapsed: 0.2 },
  ),
  '.report.json': JSON.stringify({
    created: 1794906721.33,
    duration: 0.2,
    exitcode: 1,
    root: '/w',
    environment: {},
    summary: { passed: 1, failed: 1, total: 2 },
    tests: [
      {
        nodeid: 'a.py::test_a',
        outcome: 'passed',
        setup: { duration: 0.001, outcome: 'passed' },
        call: { duration: 0.002, outcome: 'passed' },
      },
      {
        nodeid: 'a.py::test_b',
        outcome: 'failed',
        call: {
          duration: 0.002,
          outcome: 'failed',
          crash: { path: '/w/a.py', lineno: 7, message: 'assert 0' },
          longrepr: 'x',
        },
      },
    ],
  }),
  'promptfoo.json': JSON.stringify({
    evalId: 'eval-1',
    results: {
      version: 3,
      timestamp: '2026-11-17T09:12:01.332Z',
      stats: { successes: 0, failures: 1, errors: 0 },
      results: [
        {
          success: false,
          score: 0,
          failureReason: 1,
          latencyMs: 700,
          cost: 0.001,
          error: 'Expected output to contain "x"',
          testIdx: 0,
          promptIdx: 0,
          provider: { id: 'openai:gpt-5' },
          gradingResult: { pass: false, score: 0, reason: 'no x' },
        },
      ],
    },
    config: {},
  }),
};

const ERRORS: Readonly<Record<string, string>> = {
  'reports/errors/2026-11-17.json': pretty({
    timestamp: '2026-11-17T09:12:01Z',
    task: 'nightly-report',
    error_category: 'timeout',
    error_message: 'no answer',
    severity: 'critical',
    retry_count: 2,
  }),
  'sentry.json': pretty({
    event_id: '1234567890abcdef1234567890abcdef',
    timestamp: 1794906721.33,
    platform: 'python',
    level: 'error',
    release: 'shop@1.2.3',
    environment: 'production',
    transaction: '/orders',
    exception: { values: [{ type: 'ValueError', value: 'no stock', stacktrace: { frames: [] } }] },
    tags: [['a', 'b']],
  }),
};

const HEALTH: Readonly<Record<string, string>> = {
  'health.json': pretty({
    status: 'unhealthy',
    timestamp: '2026-11-17T09:12:01Z',
    checks: {
      database: { status: 'healthy', latency_ms: 3 },
      gateway: { status: 'unhealthy', error: 'connection refused' },
    },
  }),
  'health.jsonl': lines(
    { time: '2026-11-17T09:12:01Z', check: 'gateway', status: 'pass', duration_ms: 12 },
    {
      time: '2026-11-17T09:13:01Z',
      check: 'gateway',
      status: 'fail',
      duration_ms: 5000,
      output: 'timeout',
    },
  ),
};

const NEAR_MISSES: Readonly<Record<string, string>> = {
  'package.json': pretty({
    name: 'x',
    version: '1.0.0',
    scripts: { test: 'vitest' },
    dependencies: { zod: '^4.0.0' },
  }),
  'tsconfig.json': pretty({
    compilerOptions: { strict: true, target: 'es2024' },
    include: ['src'],
  }),
  'numbers.csv': lines('a,b,c', '1,2,3', '4,5,6', '7,8,9', '10,11,12'),
  'volume.csv': lines(
    'timestamp,value',
    '2026-11-17 09:12:01,104',
    '2026-11-17 09:17:01,99',
    '2026-11-17 09:22:01,100',
  ),
  'flags.jsonl': lines(
    { id: 'a', createdAt: '2026-11-17T09:12:01Z', isHidden: false, owner: 'x', path: '/a' },
    { id: 'b', createdAt: '2026-11-17T09:12:02Z', isHidden: false, owner: 'x', path: '/b' },
    { id: 'c', createdAt: '2026-11-17T09:12:03Z', isHidden: true, owner: 'y', path: '/c' },
  ),
  'schedule.ics': lines(
    'BEGIN:VCALENDAR',
    'DTSTART:20261117T091201Z',
    'SUMMARY:error review',
    'END:VCALENDAR',
  ),
  'mail.eml': lines(
    'From: a@shop.test',
    'Date: Tue, 17 Nov 2026 09:12:01 +0000',
    'Subject: failed',
    '',
    'It failed again.',
    'Please look.',
  ),
  'dump.sql': lines(
    "INSERT INTO a VALUES (1,'2026-11-17 09:12:01','x');",
    "INSERT INTO a VALUES (2,'2026-11-17 09:12:02','y');",
  ),
  'chat.json': pretty([
    { role: 'narrator', text: 'x' },
    { role: 'fox', text: 'y' },
  ]),
  'movies.csv': lines('title,year,rating', 'A,1999,8', 'B,2001,7', 'C,2004,9'),
  'people.csv': lines('name,city,age', 'Ann,Graz,31', 'Bob,Linz,44', 'Cid,Wels,29'),
  'CHANGELOG.md': lines(
    '# Changelog',
    '',
    '## 1.2.0 - 2026-11-17',
    '',
    '- Added: a thing',
    '- Fixed: error when reading',
    '',
    '## 1.1.0 - 2026-10-01',
    '- Removed: x',
  ),
  'main.ts': lines(
    "import { a } from './a.ts';",
    '',
    'export function main(): void {',
    "  if (a === 'error') throw new Error('no');",
    '}',
  ),
  'app.py': lines(
    'import logging',
    '',
    'log = logging.getLogger(__name__)',
    '',
    'def run():',
    '    log.error("failed")',
  ),
  core: '\u007fELF\u0002\u0001\u0001\0\0\0\0\0\0\0\0\0\u0004\0>\0\u0001\0\0\0\0\0\0\0@\0\0\0\0\0\0\0',
  'empty.log': '',
  'random.json': pretty({ a: [1, 2, { b: null }], c: 'd', e: { f: true } }),
  'numbers.json': '[1,2,3,4,5]',
  'text.txt': lines(
    'The quick brown fox jumps over the lazy dog.',
    'It was an error, they said, in 2026.',
    'Nobody agreed.',
  ),
  'index.html':
    '<!doctype html>\n<html><head><title>x</title></head><body><p>error</p></body></html>',
  'pom.xml':
    '<?xml version="1.0"?>\n<project><modelVersion>4.0.0</modelVersion><artifactId>x</artifactId></project>',
  'docker-compose.yml': lines(
    'services:',
    '  web:',
    '    image: nginx',
    '    ports:',
    '      - "80:80"',
  ),
  'openapi.json': pretty({
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    paths: { '/health': { get: { responses: { 200: { description: 'ok' } } } } },
  }),
  'users.jsonl': lines(
    { id: 1, name: 'Ann', email: 'a@shop.test' },
    { id: 2, name: 'Bob', email: 'b@shop.test' },
  ),
  'package-lock.json': pretty({
    name: 'x',
    lockfileVersion: 3,
    requires: true,
    packages: { '': { name: 'x' } },
  }).slice(0, 90),
  'notes.md': lines(
    '# Meeting 2026-11-17 09:30',
    '',
    'We spoke about the error rate.',
    'Next: fix it.',
  ),
  '.env': lines('LEVEL=info', 'PORT=80', 'HOST=0.0.0.0'),
  'geo.json': pretty({
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', geometry: { type: 'Point', coordinates: [1, 2] }, properties: {} },
    ],
  }),
  'prices.csv': lines(
    'date,open,close',
    '2026-11-16,1.2,1.3',
    '2026-11-17,1.3,1.1',
    '2026-11-18,1.1,1.2',
  ),
};

const CLAUDE = {
  'session.jsonl': lines(
    {
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      sessionId: 's1',
      cwd: '/work/shop',
      version: '2.1.230',
      isSidechain: false,
      timestamp: '2026-11-17T09:12:01.000Z',
      message: { role: 'user', content: 'add a test' },
    },
    {
      type: 'assistant',
      uuid: 'a1',
      parentUuid: 'u1',
      sessionId: 's1',
      cwd: '/work/shop',
      version: '2.1.230',
      isSidechain: false,
      timestamp: '2026-11-17T09:12:04.000Z',
      requestId: 'r1',
      message: { id: 'm1', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'ok' }] },
    },
  ),
};
const CODEX = {
  'rollout-2026-11-17T09-12-01-019a.jsonl': lines(
    {
      timestamp: '2026-11-17T09:12:01.000Z',
      type: 'session_meta',
      payload: { id: '019a', cwd: '/work/shop', cli_version: '0.166.0', originator: 'cli' },
    },
    {
      timestamp: '2026-11-17T09:12:02.000Z',
      type: 'response_item',
      payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] },
    },
  ),
};
const SPAN = {
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: 'eee19b7ec3c1b174',
  name: 'execute_tool search',
  kind: 1,
  startTimeUnixNano: '1763287200000000000',
  endTimeUnixNano: '1763287201000000000',
};
const OTLP_REQUEST = { resourceSpans: [{ scopeSpans: [{ spans: [SPAN] }] }] };

const all = (kind: string | null, files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(
    ([name, head]): KnownSample => ({ name, path: `/data/${name}`, head, kind }),
  );

export const KNOWN_SAMPLES: readonly KnownSample[] = [
  { name: 'events.jsonl', path: '/data/events.jsonl', head: OWN, kind: 'jsonl' },
  ...all('claude-code', CLAUDE),
  ...all('codex', CODEX),
  ...all('otlp', { 'collector.jsonl': lines(OTLP_REQUEST, OTLP_REQUEST) }),
  ...all('otlp-document', { 'request.json': pretty(OTLP_REQUEST) }),
  ...all('log', LOGS),
  ...all('table', TABLES),
  ...all('langfuse', LANGFUSE),
  ...all('openai', OPENAI),
  ...all('audit-log', AUDITS),
  ...all('test-report', TESTS),
  ...all('error-report', ERRORS),
  ...all('health', HEALTH),
  ...all(null, NEAR_MISSES),
];
