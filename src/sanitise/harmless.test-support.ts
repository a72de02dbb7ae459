/**
 * Telemetry without anybody's data: traces, ids, hashes, versions, counts, times, prose
 * about secrets. No line may be changed. Absolute paths, addresses of machines and of the web are not
 * here: those are changed on purpose.
 */
export const HARMLESS_LINES: readonly string[] = `
Traceback (most recent call last):
  File "agents/planner.py", line 118, in run_step
    result = await self.client.call(tool=name, timeout=30)
TypeError: 'NoneType' object is not subscriptable
KeyError: 'session_token_budget'
ValueError: invalid literal for int() with base 10: 'abc'
RuntimeError: dictionary changed size during iteration
asyncio.exceptions.TimeoutError: timed out after 30.0 seconds
httpx.ReadTimeout: The read operation timed out
pydantic_core._pydantic_core.ValidationError: 3 validation errors for ToolInput
    at Object.<anonymous> (src/tools/search.ts:45:11)
    at async Promise.all (index 3)
    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)
    at java.base/java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:1144)
    at com.example.agents.PlannerService$$Lambda$1423.apply(Unknown Source)
goroutine 4711 [running]: main.(*Runner).step(0xc000123456, {0x1400012e0a0, 0x2})
panic: runtime error: index out of range [5] with length 3
thread 'tokio-runtime-worker' panicked at src/main.rs:42:13
Segmentation fault (core dumped) at 0x00007f3a1c2b4d5e
Caused by: java.net.SocketTimeoutException: Read timed out
ECONNRESET while reading from upstream after 3 retries
Error: ENOENT: no such file or directory, open 'config/agents.yaml'
SyntaxError: Unexpected token '}', "{"a": }" is not valid JSON
Unhandled promise rejection: AbortError: This operation was aborted
UnicodeDecodeError: 'utf-8' codec can't decode byte 0x89 in position 0
commit 3449e1a6b1c2d3e4f5061728394a5b6c7d8e9f00 touched 14 files
merge base is db157e4, head is f32ce75a
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 does not match
md5 d41d8cd98f00b204e9800998ecf8427e of an empty file
etag "33a64df551425fcc55e4d42a148795d9f25f89d4" changed
image digest sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
git tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904 is empty
crc32 mismatch: expected 0x1c291ca3, got 0x7d8a2f10
trace_id=4bf92f3577b34da6a3ce929d0e0e4736 span_id=00f067aa0ba902b7
traceparent 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
request 123e4567-e89b-42d3-a456-426614174000 took 812 ms
run 01HZX3K9V7Q2M4N6P8R0S2T4V6 finished with status failed
job_id=65a1f0c2e4b0a1d2c3f4a5b6 was retried
message_id: 1234567890123456789 was not delivered
snowflake 1183462759301234688 is newer than 1183462759301234001
thread_abc123DEF456ghi789 has no messages
run_id=run_7f3k2m9x status=requires_action
call_Xk29fjQ0aLmZ7 returned nothing
chatcmpl-8xY2kLmN4pQrS was truncated
order 1000-2000-3000 is unknown
ticket ABC-12345 was closed, see PROJ-998
ISBN 978-3-16-148410-0 is not in the catalogue
build 20260302.4 of release/2026-03
version 12.4.1-rc.2+build.5 is not supported
Python 3.12.4, pip 24.0, torch==2.3.1+cu121
node v26.10.0, npm 11.2.0, typescript 7.0.2
requires numpy>=1.26.4,<2.0 and pandas~=2.2.2
Chrome/124.0.6367.91 Safari/537.36 was used as agent
protocol version 2024-11-05 negotiated
kernel 6.8.0-45-generic x86_64
CUDA 12.4 driver 550.54.15 found 8 devices
postgres 16.3, extension pgvector 0.7.0
model gpt-4o-2024-08-06 returned finish_reason=length
model claude-sonnet-4-20250514 overloaded, retrying in 8 s
gemini-1.5-pro-002 refused: RECITATION
meta-llama/Llama-3.1-70B-Instruct-AWQ is loading
text-embedding-3-large gave 3072 dimensions
temperature=0.7 top_p=0.95 max_tokens=4096 seed=1234567890
prompt_tokens=12873 completion_tokens=412 total_tokens=13285
tokens: 131072, limit: 128000
token count 200123 exceeds the maximum of 200000
usage: {"input_tokens": 5123, "output_tokens": 88, "cache_read_input_tokens": 4096}
tokens per second: 48.2
tokenizer mismatch: expected cl100k_base, got o200k_base
unexpected token: identifier
next_token=null, page 3 of 12
the token budget of this task is used up
no more tokens left in the bucket, refill in 1500ms
stop token <|eot_id|> was not produced
special tokens: bos=1 eos=2 pad=0
pass: 120, fail: 3, skip: 7
pass=12 fail=0 duration=3.4s
2 pass, 1 fail
pass rate 98.5%, pass@1 0.62
pass_rate=0.985 over 200 runs
first pass: ok, second pass: failed
bypass=true was ignored
compass: north
passenger=adult count=2
auth: failed
auth=basic is not allowed here
auth: required
auth=oauth2 selected
auth_type=bearer auth_url is missing
author: unknown
authority: not set
unauthorized: 401 from upstream
authentication failed for user app: wrong password
password: must be at least 12 characters
password is required
password is too short (minimum is 12 characters)
Invalid password. 2 attempts remaining
the password field is empty
password expired 90 days ago
pwd: src/agents
reset password link was sent
passwordless login is disabled
secret "db-credentials" not found in namespace "agents"
secret=db-credentials was not mounted
secrets: inherit
a secret is missing: set OPENAI_API_KEY
OPENAI_API_KEY is not set
api_key=None was passed to the client
api key missing
apiKey: undefined
api_key: "\${OPENAI_API_KEY}"
token=$GITHUB_TOKEN is empty
Bearer token missing
Bearer authentication required
basic authentication required
Basic auth is disabled for this endpoint
use --token or --api-key to log in
the flag --password is required
error: option '--token <token>' argument missing
unknown option --auth-tokens
--password and --password-stdin are mutually exclusive
--max-tokens 4096 --temperature 0.2
--token-limit 8000 was exceeded
--no-auth --verbose --retries 3
docker run -p 8080:80 --user 1000:1000 agents:latest
docker run -u 1000:1000 -e MODE=fast agents:1.4.2
curl -sS -X POST -d @body.json failed with exit code 22
mysql -u root -p shop < schema.sql
psql -h db -U app -d shop -c 'select 1'
ssh -p 2222 build@host failed
cache key user_profile_settings_v2 expired
primary key (id, created_at) is violated
foreign key constraint fk_orders_customer_id fails
sort key: created_at, partition key: tenant
idempotency key order-2026-03-02-17 was used before
key=profile_settings_cache ttl=3600
public key mismatch for host build
keyboard interrupt received
KeyboardInterrupt: stopped by user
monkey patching is not supported
hotkey ctrl+shift+p is taken
duplicate key value violates unique constraint "agents_pkey"
missing key: 'tools[0].function.parameters'
2026-03-02T09:12:44.120Z started
2026-03-02 09:12:44,120 INFO worker-3 idle
Mon, 02 Mar 2026 09:12:44 GMT
02/Mar/2026:09:12:44 +0000 "GET healthz" 200 2
at 1772442764120 the lease was lost
epoch 1772442764 ns 1772442764120123456
UTC+7 2026-03-02 12:00 is the local time
window 2026-03-02/2026-03-09, 7 days
elapsed 00:12:34.567 of 01:00:00
took 1.5s (p50 120ms, p95 812ms, p99 2031ms)
backoff 1s, 2s, 4s, 8s, 16s, 32s
retry-after: 3600
latency_ms: 30012.55 timeout_ms: 30000
cpu 98.7% mem 1234567890 bytes rss 512MiB
heap 4096 MB used 3987 MB free 109 MB
disk 512 256 1024 2048 blocks
shape (512, 256, 1024) does not match (512, 256, 768)
loss 2.3456789012 at step 120000
accuracy 0.9123456789012345 on 10000 samples
value 4.111111111111111e+15 is not finite
ids 100 200 300 400 500 600
range 200-300, 400-500
lines 234-567 of 8901
row 415, column 555, offset 2671
ports 8080, 8443, 5432 and 6379 are open
exit code 137 (OOMKilled) after 4096 s
queue depth 1200, +350 in the last minute
+12345678 bytes since the last snapshot
diff: 14 files changed, 1203 insertions(+), 415 deletions(-)
@@ -1204,7 +1204,9 @@ def run_step(self):
0000000 0123 4567 89ab cdef 0011 2233 4455 6677
06 12 34 56 78 9a bc de f0 11
00:1a:2b:3c:4d:5e is the address of the card
SELECT count(*) FROM events WHERE at_ms > 1772442764120
INSERT INTO runs (id, state) VALUES (4111, 'failed')
{"code":"E_TIMEOUT","attempt":3,"retryable":true,"elapsed_ms":30012}
{"agent":"researcher","tool":"web_search","success":false,"latency_ms":803}
{"type":"object","properties":{"password":{"type":"string"},"token":{"type":"string"}}}
{"error":{"type":"invalid_request_error","message":"max_tokens: 8193 > 8192"}}
{"id":"evt_1NG8Du2eZvKYlo2C","object":"event"}
[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"}]
HTTP 429: rate limit of 60 requests/min reached, retry in 12.5s
HTTP/1.1 503 Service Unavailable
403 Forbidden: missing scope repo:status
status=401 reason=token_expired
error=invalid_grant error_description=expired
grpc: code = Unavailable desc = transport is closing
SQLSTATE[23505]: Unique violation: 7
ORA-00942: table or view does not exist
errno 110 ETIMEDOUT, errno 111 ECONNREFUSED
npm ERR! 404 '@scope/agent-tools@^1.2.3' is not in this registry
eslint-plugin-react@7.33.2 needs eslint@^8
yarn add lodash@4.17.21
cargo: failed to select a version for serde_json = "^1.0.117"
pip install scikit-learn==1.5.0 torchvision
go: example.org/agents/tools@v0.3.1: reading go.mod
integrity sha512-Ym2Vd0pKcXlSbW9ZQ0h1VWt0 is wrong
AbstractSingletonProxyFactoryBeanConfigurer is deprecated
getUserAccountSettingsByIdentifierAsync timed out
TestPlannerRetriesWhenSearchTimesOutTwice failed
test_agent_retries_on_timeout_with_backoff[gpt-4o-mini] FAILED
ResourceExhaustedException: quota_exceeded_for_metric_generate_requests
com.fasterxml.jackson.databind.exc.MismatchedInputException
AWS::Lambda::Function resource is in ROLLBACK_COMPLETE
arn:aws:lambda:eu-west-1:000000000000:function:planner
projects/agents-prod/locations/europe-west1/endpoints/42
s3 bucket agents-artifacts, object runs/2026/03/02/out.json
kubectl logs planner-7d9c5b6f4d-x2k8p -c agent
pod planner-7d9c5b6f4d-x2k8p restarted 5 times
node ip-10-pool-a was drained
queue agents.tasks.dlq has 17 messages
topic agent-events partition 3 offset 91234567
The agent asked the same question three times and gave up.
The user said the answer was wrong and asked for a human.
It called web_search with an empty query.
Tool output was longer than 64 KiB and was cut.
The plan had 12 steps; 4 were never reached.
I could not find the invoice for March.
Please confirm your phone number before we continue.
The card was declined: insufficient funds.
No contact details were given.
She called at half past nine.
call 3 of 10 failed; caller gave up
cell 12 of the notebook raised NameError
mobile layout breaks below 360 px
fax is not supported
Ünïcödé 日本語 emoji 🙂 — “quotes” … stay
C++ std::vector<std::pair<int, long>>::at
regex ^[a-z]+@[a-z]+$ did not match
printf("%30s|%-10d|%5.2f\\n", name, n, x)
progress: [##########----------] 50%
100%|██████████| 1200/1200 [00:12<00:00, 98.21it/s]
x = 3 * (4 + 5) / 2 - 1
lat 48.137154, lon 11.576124
color #ff8800, rgba(255, 136, 0, 0.5)
price 1,234,567.89 EUR, discount 12.5 %
chapter 4.11.1.1 of the manual
phase 1/3 done, 2/3 running
DE89 is not a valid room
signature of run(self, task: str) -> Result changed
sig=SIGTERM received, shutting down
pin numpy to 1.26
otp application started
session=s-81 agent=researcher step=4
credentials not found; run login first
credential provider chain exhausted
agent finished: 14 tool calls, 3 retries, 0 errors
Exception in thread "main" java.lang.OutOfMemoryError: GC overhead limit exceeded
    raise APIConnectionError(request=request) from err
openai.BadRequestError: Error code: 400 - {'error': {'message': "This model's maximum context length is 8192 tokens", 'code': 'context_length_exceeded'}}
anthropic.RateLimitError: 429 {"type":"error","error":{"type":"rate_limit_error"}}
litellm.exceptions.AuthenticationError: invalid x-api-key
x-api-key header is required
authorization header is missing
set-cookie was ignored by the client
cookie consent banner blocked the click
Failed to parse tool arguments: Expecting ',' delimiter: line 1 column 42 (char 41)
jsonschema.exceptions.ValidationError: 'query' is a required property
assert len(tokens) == 128, got 127
num_tokens=8191, token_ids=[101, 2023, 2003, 102]
input ids: 1212 318 257 1332 13 50256
logprob -0.0012345678901234
cosine similarity 0.8732 between a41f9c and 77b0e2
embedding [0.0123, -0.4567, 0.8901, 0.2345]
bucket 2026-03-02T09:00:00+00:00 count 415
window_ms=86400000 retention_days=30
heartbeat 1772442764 late by 90 s
restarted at 09:12:44+01:00
cron 0 3 * * 1-5 next run 2026-03-03 03:00
2026-03-02 09:12:44.120 +0530 WARN slow query 2031 ms
rev 7f3a9c1d2b4e6f80917253648abcdef012345678 is not an ancestor
uploaded part 17/200 etag 9b2cf535f27731c974343645a3985328-17
layer sha256:4abcf20661432fb2d719aaf90656f55c287f8ca915dc1c92ec14ff61e67fbaf8: exists
npm notice integrity: sha512-q2JJAXK0bW8h(...)Zp0Q==
resolved lodash 4.17.21 in 412ms
go1.23.4 linux/amd64
libc 2.39-0ubuntu8.3
opentelemetry-sdk 1.27.0, semconv 1.28.0
schema version 20260302091244 applied
migration 0042_add_agent_token_usage.sql applied
table agent_token_usage has 120394 rows
column "password_hash" does not exist
relation "api_keys" does not exist
index idx_tokens_created_at is missing
unknown field "auth" in struct Config
config key auth.provider is deprecated, use auth.providers
auth.mode: "oidc"
auth_enabled: true, auth_timeout: 30s
passed: 118 failed: 2 skipped: 4
PASS src/agents/planner.test.ts (5.21 s)
--- PASS: TestRetry (0.03s)
pass 3/5 of the optimiser did not converge
pass=3/5 loss=0.1234
optimizer pass: inlining
password reset requested 3 times
password: incorrect
passwords do not match
Wrong password for user "app"
enter passphrase for key: cancelled
the secret was rotated yesterday
secret version 7 is disabled
Secrets Manager can't find the specified secret.
token: expired
token refresh failed: invalid_grant
csrf token mismatch
access token is missing or malformed
API key not valid. Please pass a valid API key.
you must provide an api key
key: value pairs expected
key "tools" must be a list
sort_key=updated_at&order=desc&page=2
credentials: include
credential helper osxkeychain not found
pip install --no-cache-dir -r requirements.txt
git clone --depth 1 -b main failed with 128
pytest -p no:cacheprovider -x -q
tar -xzf data.tar.gz -C out
ssh-keygen -t ed25519 -f key
openssl rand -hex 16
mysql: [Warning] Using a password on the command line interface can be insecure.
kubectl create secret generic db --from-literal=x
curl: (28) Operation timed out after 30001 milliseconds
curl -u requires a user name
wget --user-agent=hone failed
http 200 in 12 ms
docker login succeeded
redis-cli ping returned PONG
room 415-A, floor 5
score 415.5 of 555.0
resolution 1920x1080 at 60 Hz
frame 0123 of 4567
batch 001 002 003 004
matrix 2 3 4 / 5 6 7
reference no. 2026-0302-17
invoice 2026/03/0017 not found
case 12-3456 is closed
zip 80331 Munich
extension 4711
model number 555-2368
gate B12, seat 14C
GB 22 is not a size
NL91 was truncated
checksum ok 0x89abcdef
segment 4242 4243 4244
4242 rows, 4243 columns
account 1234 has no balance
visa application rejected
payment failed after 3 attempts
call +1 retry
+1 for this change
a+b=c, i+1, n+10
offset +0200 is summer time
Thank you for calling; how can I help?
The phone rang twice.
tel aviv region is not available
mobile=true viewport=390x844
sms queue has 120394 pending
contact support with code E1042
error code: 500123
status code: 404
country code: 49
exit code: 137
pin: unpinned
pinned to commit 3449e1a
otp-27.1 installed
signature verification failed
sig: invalid
jwt malformed
jwt expired at 2026-03-02T09:12:44.000Z
basic plan allows 5 seats
Basic Latin block
bearer of bad news
Bearer realm="agents", error="invalid_token"
`
  .split('\n')
  .filter((line) => line !== '');
