/**
 * The families that were written beforehand and only measured, never looked at for changes.
 */
import type { Family } from './family.ts';

export const HELD_OUT_FAMILIES: readonly Family[] = [
  {
    name: 'http',
    patterns: [
      'GET {url} returned status 404',
      'GET {url} returned status 500',
      'GET {url} returned status 503',
      'GET {url} returned status 401',
      'GET {url} returned status 403',
      'Request to {url} failed: redirect loop detected after {num} redirects',
      'Response from {url} has unexpected content type {mime}',
    ],
  },
  {
    name: 'files',
    patterns: [
      { message: "ENOENT: no such file or directory, open '{path}'", stack: 'js' },
      { message: "EACCES: permission denied, open '{path}'", stack: 'js' },
      { message: "EISDIR: illegal operation on a directory, read '{path}'", stack: 'js' },
      { message: "EEXIST: file already exists, mkdir '{path}'", stack: 'js' },
      { message: 'EMFILE: too many open files, watch {path}', stack: 'js' },
      { message: 'ENOSPC: no space left on device, write {path}', stack: 'js' },
      { message: 'EROFS: read-only file system, unlink {path}', stack: 'js' },
      'File {path} is too large: {size}, at most {size} can be read',
    ],
  },
  {
    name: 'schema',
    patterns: [
      { message: "Missing required parameter '{field}' for tool {tool}", tool: '{tool}' },
      { message: "Unknown parameter '{field}' for tool {tool}", tool: '{tool}' },
      { message: "Parameter '{field}' of tool {tool} must be at least {num}", tool: '{tool}' },
      { message: "Parameter '{field}' of tool {tool} must not be empty", tool: '{tool}' },
      {
        message: "Parameter '{field}' of tool {tool} does not match pattern {regex}",
        tool: '{tool}',
      },
      {
        message: "Parameter '{field}' of tool {tool} has {num} items, at most {num} are allowed",
        tool: '{tool}',
      },
    ],
  },
  {
    name: 'network',
    patterns: [
      { message: 'connect ECONNREFUSED {ip}:{port}', stack: 'js' },
      { message: 'read ECONNRESET from {ip}:{port}', stack: 'js' },
      { message: 'getaddrinfo ENOTFOUND {host}', stack: 'js' },
      { message: 'connect EHOSTUNREACH {ip}:{port}', stack: 'js' },
      { message: 'socket hang up while sending {num} bytes to {host}', stack: 'js' },
      'unable to verify the first certificate of {host}',
      'certificate of {host} has expired',
      { message: 'listen EADDRINUSE: address already in use {ip}:{port}', stack: 'js' },
    ],
  },
  {
    name: 'python',
    patterns: [
      { message: "'{var}'", errorClass: 'KeyError', stack: 'py' },
      {
        message: "'NoneType' object has no attribute '{field}'",
        errorClass: 'AttributeError',
        stack: 'py',
      },
      { message: 'list index out of range', errorClass: 'IndexError', stack: 'py' },
      { message: "No module named '{module}'", errorClass: 'ModuleNotFoundError', stack: 'py' },
      { message: "name '{var}' is not defined", errorClass: 'NameError', stack: 'py' },
      {
        message: "invalid literal for int() with base 10: '{var}'",
        errorClass: 'ValueError',
        stack: 'py',
      },
      {
        message: "{func}() missing 1 required positional argument: '{field}'",
        errorClass: 'TypeError',
        stack: 'py',
      },
      {
        message: "{func}() got an unexpected keyword argument '{field}'",
        errorClass: 'TypeError',
        stack: 'py',
      },
      { message: 'division by zero', errorClass: 'ZeroDivisionError', stack: 'py' },
    ],
  },
  {
    name: 'jvm',
    patterns: [
      {
        message: 'Cannot invoke "{class}.{func}()" because "{var}" is null',
        errorClass: 'java.lang.NullPointerException',
        stack: 'java',
      },
      {
        message: 'Index {num} out of bounds for length {num}',
        errorClass: 'java.lang.ArrayIndexOutOfBoundsException',
        stack: 'java',
      },
      {
        message: 'class {class} cannot be cast to class {class}',
        errorClass: 'java.lang.ClassCastException',
        stack: 'java',
      },
      { message: '{class}', errorClass: 'java.lang.ClassNotFoundException', stack: 'java' },
      { message: 'Java heap space', errorClass: 'java.lang.OutOfMemoryError', stack: 'java' },
      {
        message: 'No enum constant {class}.{var}',
        errorClass: 'java.lang.IllegalArgumentException',
        stack: 'java',
      },
    ],
  },
  {
    name: 'sql',
    patterns: [
      'relation "{table}" does not exist',
      'column "{column}" of relation "{table}" does not exist',
      'duplicate key value violates unique constraint "{column}_key"',
      'insert on table "{table}" violates foreign key constraint "{column}_fkey"',
      'null value in column "{column}" violates not-null constraint',
      'deadlock detected: process {num} waits for process {num}',
      'syntax error at or near "{var}"',
      'too many connections for role "{user}"',
      'password authentication failed for user "{user}"',
    ],
  },
  {
    name: 'shell',
    patterns: [
      { message: 'bash: {cmd}: command not found', tool: 'bash', attributes: { exit_code: '127' } },
      {
        message: 'bash: {path}: Permission denied',
        tool: 'bash',
        attributes: { exit_code: '126' },
      },
      { message: 'Command {cmd} exited with code 1', tool: 'bash' },
      { message: 'Command {cmd} was killed by SIGKILL', tool: 'bash' },
      { message: 'Command {cmd} produced no output for {s} seconds', tool: 'bash' },
      { message: '{cmd}: unrecognized option {flag}', tool: 'bash' },
      { message: 'Output of {cmd} was truncated at {num} characters', tool: 'bash' },
    ],
  },
  {
    name: 'mcp',
    patterns: [
      'MCP server {service} closed the connection unexpectedly',
      'MCP server {service} failed to start: spawn {cmd} ENOENT',
      'MCP server {service} does not support protocol version {version}',
      'MCP error -32601: method {func} not found on server {service}',
      { message: 'MCP error -32602: invalid params for tool {tool}', tool: '{tool}' },
      'Tool {tool} is not registered with server {service}',
      'Tool result of {tool} exceeds {num} tokens',
    ],
  },
  {
    name: 'tests',
    patterns: [
      { message: 'expected {num} to equal {num}', errorClass: 'AssertionError', stack: 'js' },
      { message: 'expected {var} to be defined', errorClass: 'AssertionError', stack: 'js' },
      { message: 'Test "{name}" timed out in {ms}ms', stack: 'js' },
      'Snapshot {name} is obsolete',
      'Snapshot {name} mismatched',
      'Coverage for lines ({num}%) does not meet threshold ({num}%)',
      'No test files found in {dir}',
    ],
  },
  {
    name: 'browser',
    patterns: [
      {
        message: "waiting for selector '{selector}' failed: timeout {ms}ms exceeded",
        tool: 'browser',
      },
      { message: "Element '{selector}' is not visible", tool: 'browser' },
      { message: "Element '{selector}' is detached from the document", tool: 'browser' },
      { message: 'Navigation to {url} failed: net::ERR_NAME_NOT_RESOLVED', tool: 'browser' },
      { message: 'Navigation to {url} failed: net::ERR_CERT_AUTHORITY_INVALID', tool: 'browser' },
      { message: 'Page {url} crashed', tool: 'browser' },
      { message: 'Download of {url} was cancelled', tool: 'browser' },
    ],
  },
  {
    name: 'cloud',
    patterns: [
      {
        message: 'User {user} is not authorized to perform {action} on resource {url}',
        errorClass: 'AccessDeniedException',
      },
      { message: 'Bucket {queue} does not exist', errorClass: 'NoSuchBucket' },
      {
        message: 'The security token included in the request is expired',
        errorClass: 'ExpiredTokenException',
      },
      'Instance {id} is in state stopped, expected running',
      'Requested {num} vCPUs, the limit of your account in {region} is {num}',
      'Signature of the request does not match, check your secret key',
    ],
  },
  {
    name: 'workflow',
    patterns: [
      'Step {name} of workflow {name} failed after {num} attempts: upstream returned an empty list',
      'Step {name} of workflow {name} was skipped: its condition is false',
      'Step {name} of workflow {name} is stuck in state pending for {num} minutes',
      {
        message: 'Agent {agent} called tool {tool} {num} times in a row with the same arguments',
        tool: '{tool}',
      },
      'Agent {agent} stopped without an answer after {num} turns',
      'Agent {agent} handed over to {agent}, which does not exist',
      'Plan of agent {agent} has a cycle between {name} and {name}',
      'Budget of agent {agent} exhausted: {num} of {num} dollars spent',
    ],
  },
  {
    name: 'resources',
    patterns: [
      'Memory usage above {num}% on {host}',
      'CPU usage above {num}% on {host}',
      'Disk usage above {num}% on {host}',
      'Connection pool usage above {num}% on {host}',
      'Queue depth above {num} on {host}',
    ],
  },
  {
    name: 'formats',
    patterns: [
      'Invalid date format in field {field}',
      'Invalid email format in field {field}',
      'Invalid phone number in field {field}',
      'Field {field} must not be negative',
      'Field {field} must be unique',
      'Field {field} is read-only',
    ],
  },
  {
    name: 'migrations',
    patterns: [
      'Migration {num} failed: column {column} already exists',
      'Migration {num} failed: column {column} does not exist',
      'Migration {num} failed: lock on table {table} not acquired',
      'Migration {num} was applied out of order',
      'Migration {num} has been changed after it was applied',
    ],
  },
  {
    name: 'tool-calls',
    patterns: [
      'Model returned a malformed tool call for {tool}',
      'Model returned a duplicate tool call for {tool}',
      'Model called tool {tool} without arguments',
      'Model called tool {tool} which is not allowed in this phase',
      'Model called tool {tool} after the task was finished',
    ],
  },
  {
    name: 'accounts',
    patterns: [
      'Invalid password for account {user}',
      'Account {user} is locked after {num} attempts',
      'Account {user} is disabled by the administrator',
      'Account {user} has not confirmed its email address',
      'Account {user} may not sign in from {region}',
    ],
  },
  {
    name: 'builds',
    patterns: [
      'Build of {pkg} failed with {num} errors',
      'Build of {pkg} succeeded with {num} warnings',
      'Build of {pkg} was cancelled after {num} minutes',
      'Publishing of {pkg} failed with {num} errors',
      'Signing of {pkg} failed: no key',
    ],
  },
  {
    name: 'pods',
    patterns: [
      'Pod {name}-{num} is in CrashLoopBackOff',
      'Pod {name}-{num} is in ImagePullBackOff',
      'Pod {name}-{num} was OOMKilled',
      'Pod {name}-{num} cannot be scheduled: insufficient cpu',
      'Pod {name}-{num} cannot be scheduled: node selector mismatch',
    ],
  },
];
