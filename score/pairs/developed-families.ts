/**
 * The families that the similarity was developed on. The patterns of one family are close relatives
 * and all different failures; a pattern filled twice with other names is the same failure.
 */
import type { Family } from './family.ts';

export const DEVELOPED_FAMILIES: readonly Family[] = [
  {
    name: 'timeouts',
    patterns: [
      'connect timeout to {host}:{port} after {ms}ms',
      'read timeout from {host}:{port} after {ms}ms',
      'write timeout to {host}:{port} after {ms}ms',
      { message: 'Tool {tool} timed out after {s}s', tool: '{tool}' },
      'timed out waiting for lock on {path} after {s} seconds',
      'DNS lookup for {host} timed out after {ms}ms',
      'TLS handshake with {host} timed out',
    ],
  },
  {
    name: 'rate-limits',
    patterns: [
      {
        message: 'Rate limit exceeded for model {model}: {num} requests per minute',
        errorClass: 'RateLimitError',
      },
      { message: 'Model {model} is overloaded, please retry later', errorClass: 'OverloadedError' },
      {
        message: 'You exceeded your current quota for {model}, check your plan',
        errorClass: 'InsufficientQuotaError',
      },
      {
        message: 'Model {model} has been deprecated, use {model} instead',
        errorClass: 'DeprecatedModelError',
      },
      'Concurrent request limit of {num} reached for organization {id}',
    ],
  },
  {
    name: 'json',
    patterns: [
      {
        message: 'Unexpected token {char} in JSON at position {num}',
        errorClass: 'SyntaxError',
        stack: 'js',
      },
      { message: 'Unexpected end of JSON input', errorClass: 'SyntaxError', stack: 'js' },
      {
        message: 'Expecting value: line {num} column {num} (char {num})',
        errorClass: 'json.decoder.JSONDecodeError',
        stack: 'py',
      },
      {
        message: 'Extra data: line {num} column {num} (char {num})',
        errorClass: 'json.decoder.JSONDecodeError',
        stack: 'py',
      },
      {
        message: 'Converting circular structure to JSON at property {field}',
        errorClass: 'TypeError',
        stack: 'js',
      },
      {
        message: 'Invalid control character at line {num} column {num}',
        errorClass: 'json.decoder.JSONDecodeError',
      },
    ],
  },
  {
    name: 'permissions',
    patterns: [
      'Permission denied: agent {agent} may not write to {path}',
      'Permission denied: agent {agent} may not read {path}',
      'Permission denied: agent {agent} may not execute {path}',
      'Token of user {user} has expired',
      'Token of user {user} has been revoked',
      'User {user} is not a member of group {group}',
      'Two-factor code required for user {user}',
    ],
  },
  {
    name: 'memory',
    patterns: [
      'JavaScript heap out of memory after {size}',
      {
        message: 'Container {id} was killed: memory limit {size} exceeded',
        attributes: { exit_code: '137' },
      },
      'Container {id} was evicted: disk pressure on node {host}',
      'Container {id} failed its liveness probe {num} times',
      {
        message: 'Maximum call stack size exceeded in {func}',
        errorClass: 'RangeError',
        stack: 'js',
      },
      { message: 'CUDA out of memory: tried to allocate {size}', stack: 'py' },
      'CPU quota of {num}% exceeded for process {num}',
    ],
  },
  {
    name: 'javascript',
    patterns: [
      {
        message: "Cannot read properties of undefined (reading '{field}')",
        errorClass: 'TypeError',
        stack: 'js',
      },
      { message: '{var}.{func} is not a function', errorClass: 'TypeError', stack: 'js' },
      { message: '{var} is not defined', errorClass: 'ReferenceError', stack: 'js' },
      { message: 'Assignment to constant variable {var}', errorClass: 'TypeError', stack: 'js' },
      { message: "Cannot find module '{module}'", stack: 'js' },
      { message: '{var} is not iterable', errorClass: 'TypeError', stack: 'js' },
      { message: 'Invalid array length', errorClass: 'RangeError', stack: 'js' },
    ],
  },
  {
    name: 'go-rust',
    patterns: [
      {
        message: 'panic: runtime error: invalid memory address or nil pointer dereference',
        stack: 'go',
      },
      {
        message: 'panic: runtime error: index out of range [{num}] with length {num}',
        stack: 'go',
      },
      { message: 'panic: assignment to entry in nil map', stack: 'go' },
      { message: 'context deadline exceeded while calling {service}', stack: 'go' },
      { message: 'context canceled while calling {service}', stack: 'go' },
      { message: 'called `Option::unwrap()` on a `None` value at {file}:{num}', stack: 'rust' },
      { message: 'attempt to subtract with overflow at {file}:{num}', stack: 'rust' },
    ],
  },
  {
    name: 'git',
    patterns: [
      {
        message: "error: pathspec '{branch}' did not match any file(s) known to git",
        tool: 'bash',
      },
      { message: 'CONFLICT (content): Merge conflict in {path}', tool: 'bash' },
      {
        message: "fatal: could not read Username for '{url}': terminal prompts disabled",
        tool: 'bash',
      },
      { message: '! [rejected] {branch} -> {branch} (non-fast-forward)', tool: 'bash' },
      { message: "fatal: '{dir}' already exists and is not an empty directory", tool: 'bash' },
      { message: 'error: patch failed: {path}:{num}', tool: 'bash' },
      { message: "fatal: repository '{url}' not found", tool: 'bash' },
    ],
  },
  {
    name: 'models',
    patterns: [
      "This model's maximum context length is {num} tokens, however your messages resulted in {num} tokens",
      'The model {model} does not exist or you do not have access to it',
      "I'm sorry, but I can't help with that request",
      {
        message: 'Output of {model} was cut off: max_tokens {num} reached',
        attributes: { finish_reason: 'length' },
      },
      'Output blocked by content filter {id}',
      'Invalid API key provided: {key}',
      'Model {model} returned an empty response',
    ],
  },
  {
    name: 'edits',
    patterns: [
      { message: 'String to replace not found in {path}', tool: 'edit' },
      {
        message: 'Found {num} matches of the string to replace in {path}, expected exactly one',
        tool: 'edit',
      },
      {
        message: 'File {path} has been modified since it was read, read it again before editing',
        tool: 'edit',
      },
      {
        message: 'File {path} has not been read yet, read it first before writing to it',
        tool: 'edit',
      },
      { message: 'old_string and new_string are identical in {path}', tool: 'edit' },
      { message: 'Line {num} is beyond the end of {path} which has {num} lines', tool: 'edit' },
    ],
  },
  {
    name: 'build',
    patterns: [
      "{file}({num},{num}): error TS2304: Cannot find name '{var}'.",
      "{file}({num},{num}): error TS2322: Type '{class}' is not assignable to type '{class}'.",
      '{file}({num},{num}): error TS2554: Expected {num} arguments, but got {num}.',
      "Module not found: Error: Can't resolve '{module}' in '{dir}'",
      'npm ERR! code ERESOLVE could not resolve dependency {pkg}@{version}',
      'npm ERR! 404 {pkg}@{version} is not in this registry',
      'npm ERR! Missing script: "{cmd}"',
      'Checksum mismatch for {pkg}-{version}.tgz',
    ],
  },
  {
    name: 'queues',
    patterns: [
      'Consumer {id} of topic {queue} was removed from the group: heartbeat expired',
      'Message {uuid} on topic {queue} exceeds the maximum size of {size}',
      'Message {uuid} on queue {queue} was dropped after {num} retries',
      'Offset {num} of topic {queue} is out of range',
      'Leader of topic {queue} not available',
      'Queue {queue} is full: {num} messages waiting',
    ],
  },
  {
    name: 'structured',
    patterns: [
      'level=error msg="upload failed" bucket={queue} key={path} reason=access_denied attempt={num}',
      'level=error msg="upload failed" bucket={queue} key={path} reason=checksum_mismatch attempt={num}',
      'level=error msg="download failed" bucket={queue} key={path} reason=access_denied attempt={num}',
      '{"error":{"type":"invalid_request_error","message":"messages: at least one message is required","id":"{id}"}}',
      '{"error":{"type":"authentication_error","message":"invalid x-api-key","id":"{id}"}}',
      '{"error":{"type":"overloaded_error","message":"Overloaded","id":"{id}"}}',
      '{"status":"error","code":"{num}","message":"Payment of {num} EUR was declined by {service}"}',
    ],
  },
  {
    name: 'verbs',
    patterns: [
      'Upload of {path} failed',
      'Download of {path} failed',
      'Deletion of {path} failed',
      'Compression of {path} failed',
      'Encryption of {path} failed',
      'Indexing of {path} failed',
    ],
  },
  {
    name: 'lifecycle',
    patterns: [
      'Service {service} failed to start on port {port}',
      'Service {service} failed to stop on port {port}',
      'Service {service} failed to reload its configuration',
      'Service {service} failed its health check on port {port}',
      'Service {service} was restarted by the operator',
    ],
  },
  {
    name: 'mail',
    patterns: [
      'Email to {user}@example.com could not be sent: mailbox full',
      'Email to {user}@example.com could not be sent: invalid address',
      'Email to {user}@example.com could not be sent: attachment too large',
      'Email to {user}@example.com was rejected as spam',
      'Email template {name} has no subject',
    ],
  },
  {
    name: 'certificates',
    patterns: [
      'SSL certificate of {host} has expired',
      'SSL certificate of {host} is not yet valid',
      'SSL certificate of {host} does not match the host name',
      'SSL certificate of {host} is self-signed',
      'SSL certificate of {host} was revoked',
    ],
  },
  {
    name: 'caches',
    patterns: [
      'Cache miss rate above {num}% for key {key}',
      'Cache eviction rate above {num}% for key {key}',
      'Cache entry {key} is larger than {size}',
      'Cache entry {key} expired before it was read',
      'Cache server {host} rejected the password',
    ],
  },
  {
    name: 'brackets',
    patterns: [
      'Missing closing bracket at line {num} of {file}',
      'Unexpected closing bracket at line {num} of {file}',
      'Missing semicolon at line {num} of {file}',
      'Unterminated string at line {num} of {file}',
      'Duplicate label at line {num} of {file}',
    ],
  },
  {
    name: 'grpc',
    patterns: [
      'rpc error: code = DeadlineExceeded desc = calling {service}',
      'rpc error: code = Unavailable desc = calling {service}',
      'rpc error: code = PermissionDenied desc = calling {service}',
      'rpc error: code = ResourceExhausted desc = calling {service}',
      'rpc error: code = NotFound desc = calling {service}',
    ],
  },
];
