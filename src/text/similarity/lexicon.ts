/**
 * What the words of failures mean. A word in here says something about the failure, so another word in
 * its place is another failure (`connect` and `read` timeouts); a word that is not in here is most
 * likely somebody's name for something, so another word in its place is the same failure renamed.
 *
 * Each line of `CONCEPTS` is one meaning with its ways of saying it, phrases included; the first word
 * names it. `VOCABULARY` are words with a meaning of their own. Inflected forms are found by stem.
 */

/** `!` what went wrong, `~` what was being done: both tell failures apart. The rest only fills. */
const CONCEPTS = `
!timeout: timeout, timedout, timed out, time out, time limit, deadline exceeded, deadline, took too long, took longer than, in time, no response within, etimedout, timeouterror, time budget
!refused: refused, econnrefused, actively refused
!reset: reset, econnreset, reset by peer, forcibly closed
!closed: hang up, hung up, disconnected, disconnect, broken pipe, epipe, closed by, closed unexpectedly, connection lost, lost connection, went away, gone away
!unreachable: unreachable, ehostunreach, enetunreach, no route to host
!unresolved: enotfound, could not resolve, cannot resolve, couldn't resolve, unable to resolve, failed to resolve, name resolution, eai_again, name or service not known, nodename nor servname provided, nxdomain, unresolved
!denied: denied, eacces, eperm, forbidden, permission denied, access denied, not permitted, not allowed, disallowed, not authorized, not authorised, insufficient permissions, insufficient permission, insufficient privileges, lacks permission, lack permission, no permission, does not have permission, do not have permission, prohibited, restricted
!unauthenticated: unauthorized, unauthorised, unauthenticated, authentication failed, not authenticated, invalid credentials, bad credentials, wrong password, login failed, not logged in, invalid api key, incorrect api key
!not_found: not found, enoent, no such file or directory, no such, does not exist, doesn't exist, do not exist, did not exist, not exist, could not be found, cannot be found, can not be found, could not find, couldn't find, cannot find, can't find, unable to find, failed to find, unable to locate, could not locate, cannot locate, nonexistent, notfound, was not found, is not found, unknown, unrecognized, unrecognised, not recognized, not recognised, is not known, filenotfound
!exists: already exists, already exist, eexist, duplicate, duplicated, already present, already registered, already in use, eaddrinuse, already taken, in use
!rate_limit: rate limit, rate limited, rate limiting, rate limits, too many requests, throttled, throttling, throttle, ratelimit, ratelimited, requests per minute, tokens per minute, slow down
!quota: quota, billing limit, billing hard limit, credit balance, insufficient_quota, spending limit, usage limit
!exhausted: exhausted, resource exhausted, depleted, ran out of, run out of, used up
!overload: overloaded, overload, at capacity, too busy, server busy, is busy
!unavailable: unavailable, temporarily unavailable, not available, isn't available, out of service, offline, not reachable
!memory_out: out of memory, oom, enomem, cannot allocate memory, heap limit, java heap space, heap out of memory, memory exhausted, memory limit exceeded, memory limit, oomkilled, oom killed, insufficient memory, outofmemory, not enough memory
!disk_full: no space left on device, enospc, disk full, out of disk space, no space left, disk is full, insufficient disk space, not enough space, not enough disk space
!files_many: too many open files, emfile, enfile
!exceeded: exceeded, exceed, exceeds, exceeding, too large, too big, too long, larger than, longer than, over the limit, above the limit, greater than, toolarge
!context_length: context length, context window, maximum context, token limit, too many tokens, context_length_exceeded, prompt is too long, prompt too long, maximum number of tokens, context size, context limit, max_tokens
!short: too short, too small, too few, shorter than, smaller than, less than, at least, not enough, insufficient
!parse: parse, parser, parsing, unmarshal, deserialize, deserialise, deserialization, unparsable, not valid json, invalid json
!unexpected: unexpected, unexpectedly
!ended: end of file, eof, premature end, end of input, end of json input, unexpected end, truncated, incomplete, cut off
!invalid: invalid, illegal, malformed, bad, incorrect, not valid, not a valid, ill-formed, wrong, improper
!unsupported: unsupported, not supported, unimplemented, not implemented, isn't supported
!missing: missing, required, is required, not provided, not set, not specified, not defined, undefined variable, must be set, must be provided, absent, is not set, not configured, no value for
!null: null pointer, nullpointer, nil pointer, null reference, of null, of undefined, nonetype, is null, is undefined, is none
!empty: empty, blank, no content, no output, nothing
!cancelled: cancelled, canceled, cancel, cancellation, aborted, abort, interrupted, interrupt, sigint, keyboardinterrupt
!killed: killed, kill, sigkill, terminated, sigterm, terminate
!crashed: segfault, segmentation fault, sigsegv, core dumped, panic, panicked, crash, crashed, sigabrt
!assertion: assertion, assert, expectation, assertionerror
!range: out of range, out of bounds, outofbounds, index out of range, indexerror
!recursion: recursion, recursive, maximum call stack, stack overflow, call stack size, stackoverflow, recursionerror
!zero: division by zero, divide by zero, zerodivision, by zero
!overflow: overflow, overflowed
!deadlock: deadlock, deadlocked
!conflict: conflict, conflicts, conflicting, merge conflict, diverged, non-fast-forward, not possible to fast-forward
!mismatch: mismatch, mismatched, does not match, do not match, doesn't match, did not match, didn't match, differs, not equal, not match
!expired: expired, expire, expires, expiry, has expired, no longer valid
!revoked: revoked, revoke
!rejected: rejected, reject, rejects
!approved: approved, approve, approves, approval
!refusal: can't help, cannot help, can't assist, cannot assist, unable to help, unable to assist, won't help, decline, declined, content policy, content filter, content_filter, safety, harmful, against my guidelines
!corrupt: corrupt, corrupted, corruption, damaged, checksum, integrity
!locked: locked, lock, could not obtain lock, ebusy
!stale: stale, outdated, obsolete, out of date, behind
!deprecated: deprecated, discontinued, retired, sunset, removed in
!read_only: read only, read-only, readonly, erofs, immutable
!success: success, succeeded, successful, successfully, succeed, passed, completed, complete, completes, ok, accepted, accept
!refuses_cert: self signed, self-signed, unable to verify, unable to get local issuer, not trusted, untrusted, certificate verify failed
!negation: not, no, never, without, nor, neither, isn't, wasn't, aren't, doesn't, don't, didn't, won't, hasn't, haven't
~connect: connect, connection, connecting, connected
~reconnect: reconnect, reconnecting
~read: read, reading, reader, readable, readtimeout
~write: write, writing, written, wrote, writable, save, saving, saved
~open: open, opening, opened
~close: close, closing, closed, shutdown
~send: send, sending, sent
~receive: receive, receiving, received, recv
~delete: delete, deleting, deleted, remove, removing, removed, unlink
~create: create, creating, created, creation
~update: update, updating, updated, modify, modifying, modified
~upload: upload, uploading, uploaded
~download: download, downloading, downloaded
~load: load, loading, loaded
~import: import, importing, imported, importerror
~compile: compile, compiling, compilation, compiler
~install: install, installing, installed, installation
~start: start, starting, started, startup, launch, launching, boot
~stop: stop, stopping, stopped
~execute: execute, executing, executed, execution, run, running, ran, exec
~spawn: spawn, fork
~call: call, calling, called, invoke, invoking, invoked, invocation
~validate: validate, validation, validating, validationerror, validator
~serialize: serialize, serialise, serialization, serializable, marshal
~encode: encode, encoding, encoded
~decode: decode, decoding, decoded
~verify: verify, verification, verifying, verified
~sign: signature, signing, signed
~push: push, pushing, pushed
~pull: pull, pulling, pulled
~clone: clone, cloning
~merge: merge, merging, merged, rebase
~commit: commit, committing, committed
~checkout: checkout
~insert: insert, inserting, inserted
~query: query, querying, queried, select
~fetch: fetch, fetching, fetched, retrieve, retrieving
~search: search, searching
~copy: copy, copying
~move: move, moving, rename, renaming
~allocate: allocate, allocation, allocating
~schedule: schedule, scheduling, scheduled
~acquire: acquire, acquiring, obtain
~login: login, logon, sign in, log in, authentication, authenticate, authenticating, auth
~logout: logout, logoff
~authorize: authorization, authorisation, authorize
~handshake: handshake
~retry: retry, retries, retrying, retried, attempt, attempts
~exit: exit, exited, exits
~restart: restart, restarting, restarted, rebooted, reboot
~wait: wait, waiting, waited
~negotiate: negotiation, negotiate
~subscribe: subscribe, subscription
~publish: publish, publishing
~replicate: replicate, replication
~flush: flush, flushing
~allow: allow, allowed, permit, permitted, grant, granted
~enable: enable, enabled
~disable: disable, disabled
failed: failed, fail, fails, failure, failing, error, errors, err, could not, couldn't, cannot, can't, can not, unable to, unable, was unable to, unsuccessful, unsuccessfully, exception, problem, fatal, failed to, errored, fault, oops, issue
because: because, due to, because of, caused by, reason, since
`;

const VOCABULARY = `
access account action active adapter address admin after algorithm alias api app application archive
argument arguments array assign asset async attribute audio authority await back backend backup 
bandwidth base batch before binary bind bit block body boolean boot bound branch break breaker bridge
broker browser bucket buffer bug build bundle bus byte bytes cache callback capacity case cast catalog
catch certificate chain change channel character charge check checkpoint child chunk cipher circuit class
cleanup client clipboard clock cluster code codec collation column command compact compare component
compression concurrency config configuration configure consistent console constant constraint construct
consumer container content context convert conversion cookie core correct count coverage cpu credential
credentials cursor cycle daemon data database dataset date debug decrypt default define delay deliver
delivery dependency deploy deployment depth descriptor  device dictionary diff digest dimension
directory discover disk dispatch display dns document domain double driver drop dump early edge edit
element email embedding emit encrypt endpoint engine entity entry environment event evict exchange expect
expected export expression extension external extra factory feature field file filesystem filter final find
fingerprint firewall first flag float folder font foreign format frame framework free frozen full function
gateway generate get give global gpu group grpc guard handle handler hash head header health heap heartbeat
height hook host http https id identifier identity idle ignore image implement inactive inbound index
indentation info inherit initialize initialise initialization inode input instance instruction integer
interface internal interpreter  item iterate iteration job join json kernel key keyword label lambda
language large last late latency launcher layer layout leader lease left length level library license limit
line link list listen listener literal local locale location log long lookup loop lost machine mail main
manifest map mapping mark mask master match maximum media member memory merge message metadata method
metric migrate migration minimum mirror mode model module monitor mount multiple mutex name namespace
native negative nested network next node notification null number object offset only operand operation
operator optional option  origin other outbound output over owner package packet page parameter parent
part partial partition password patch path pattern payload  peer pending permission persist pid pin
ping pipe pipeline pixel platform plugin pod pointer policy poll pool port position positive post prefix
prepare previous primary print priority private privilege process processor producer profile program promise
prompt property protocol provider proxy public put quarantine queue quorum range rate raw read ready real
record recover recovery redirect reduce reference refresh region register registry regular reject rejected
related relation release remote render repeat replace replica reply report repository request require
reservation resolution resolve resolver resource response respond responded restore result resume return
returned reverse review revision right ring role rollback rollout root rotate route router row rule runtime
sample sandbox scale scan schema scope script second secondary secret section secure security segment
selector semaphore sequence series server service session set setting shape shard share shell signal single
size skip slave slot slow snapshot socket sort source space spec split sql ssl stack stage standby standard
state statement static status step storage store stream string structure subject submit subnet suffix summary
support suspend swap switch symbol symlink sync syntax system table tag target task template temporary tenant
terminal test thread ticket time timer timestamp tls token tool top topic total trace track traffic transaction
transfer transform transient translate transport tree trigger trust tunnel type unchanged unique unit unlock
unmount unpack unsafe unused upgrade upstream uri url usage use user username valid value variable vector
version video view virtual visible volume vote wait warning watch webhook width window word worker workflow
workspace write yield zone
down up in out on off low high min max most least more less same different new old invalidargument
parameters fields keys values columns rows headers requests responses tokens files bytes
absolute abstract acquired added adjacent ambiguous anonymous answer appear append applied approval
architecture asked assignment associated asynchronous attempted avoid backslash bare behavior better beyond
bless brace bracket built callable capture category caught cause cert certfile circular clash classes clear
closure color combination combine comma comment common comparison compatible compiled compress compressed
condition conditional confused considered const constructor contain contained continue control covered
crypto current currently custom datetime decimal declaration declare declared defer definition delimiter
description destination detached detected determine dict digit directive directly directories distribution
documentation dropped earlier effect effective else emitted encountered ended entries enum equivalent escape
escaped establish evaluate eviction exactly example except exclusive executable experimental explicit
explicitly exponent extended family feed filename finalized flow follow followed force forget forgot form
formatter future generator generic glob hand happen happened hashes hexadecimal hostname identical
immediately implementation implicitly include included incompatible inconsistency indicate indicated
infinity information inner inplace inside instantiated instead intended internally interpreted iterable
itself jump kind lag legal lexical libraries liveness loader lookbehind magic mailbox manually marker
matches mean meaningful meaningless mechanism miss modifier modulus multi multiply mutually navigation
newline numeric occur occurred octal older omitted otherwise outer outside override overwrite pack
parentheses parenthesis parenthesized particular pass past perform place plain plan point portable
positional possibly precedence pressure probe processes progress properly properties provide pseudo
quantifier question quote quoted raised rather reached redefined redirection relative remain renew represent
representation requirement reserved restriction revocation routine scheme seek semicolon separated separator
serial setup shown shows side similar skipped slice special specific specification specifier specify square
stat stderr stdout strict stuck style subclass subpath subprocess subscript subscriptable substitution
supplied supply supposed surrogate symbolic syscall tell text think threshold throw thrown tied
transliteration treated tuple turn turns typo unary unopened useful verb virus weak whitespace wildcard work
wrapped yourself
undefined null none nil true false
git docker kubernetes redis postgres mysql mongodb kafka npm pip python node java tcp udp ssh ftp smtp xml yaml csv html pdf
`;

const STOP_WORDS = `a an the of to in on at for with by from into onto as is was were be been being are am has
have had having this that these those it its and or but if then than so such while when where which who during
via per about there here please try again later any some all each every can may might must should would will
shall do does did we you i he she they our your my their his her me us them also just now still yet only
see more details check make sure ensure following given within until upon against between through under
`;

/** A bare word after one of these is a name: \`tool search\`, \`table users\`, \`agent planner\`. */
const NAMING_NOUNS = `tool agent user table column function method module package service model bucket queue topic
database schema variable property attribute field key class role group project branch repo repository plugin skill
command binary task job workflow pipeline step node pod container server host label tag environment region cluster
namespace workspace tenant named called collection index relation volume device partition shard worker channel
parameter argument param endpoint component extension library account organization team customer locale stage
symbol identifier import dataset symbol struct interface trait type constraint sequence view trigger domain path
subagent hook script program process action
`;

export interface Meaning {
  readonly id: string;
  /** Tells failures apart, as opposed to merely describing them. */
  readonly telling: boolean;
  /** What went wrong, as opposed to what was being done. */
  readonly state: boolean;
}

const meanings = new Map<string, Meaning>();
const phrases = new Map<string, Meaning>();
const phraseStarts = new Set<string>();
const PHRASE_WORDS_MAX = 6;

for (const line of CONCEPTS.trim().split('\n')) {
  const [head, ways] = line.split(': ');
  const meaning: Meaning = {
    id: head!.replace(/^[!~]/, ''),
    telling: /^[!~]/.test(head!),
    state: head!.startsWith('!'),
  };
  for (const way of ways!.split(', ')) {
    const words = way.split(/[ -]/);
    if (words.length === 1) meanings.set(way, meaning);
    else {
      phrases.set(words.join(' '), meaning);
      phraseStarts.add(words[0]!);
    }
  }
}
for (const word of VOCABULARY.trim().split(/\s+/))
  if (!meanings.has(word)) meanings.set(word, { id: word, telling: false, state: false });

const stopWords = new Set(STOP_WORDS.trim().split(/\s+/));
const namingNouns = new Set(NAMING_NOUNS.trim().split(/\s+/));

export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

export function namesWhatFollows(word: string): boolean {
  return namingNouns.has(word) || namingNouns.has(singular(word));
}

/** The meaning of a small-letter word, by itself or by its stem. */
export function meaningOf(word: string): Meaning | undefined {
  const direct = meanings.get(word);
  if (direct !== undefined) return direct;
  for (const stem of stems(word)) {
    const found = meanings.get(stem);
    // A doer is a name: the writer is an agent, to write is what failed.
    if (found !== undefined && !(found.telling && word.endsWith('er'))) return found;
  }
  return undefined;
}

/** The longest phrase that starts at `from`, with how many words it takes. */
export function phraseAt(
  words: readonly string[],
  from: number,
): { meaning: Meaning; length: number } | undefined {
  if (!phraseStarts.has(words[from]!)) return undefined;
  for (let length = Math.min(PHRASE_WORDS_MAX, words.length - from); length >= 2; length -= 1) {
    const meaning = phrases.get(words.slice(from, from + length).join(' '));
    if (meaning !== undefined) return { meaning, length };
  }
  return undefined;
}

function singular(word: string): string {
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function stems(word: string): string[] {
  const found: string[] = [];
  if (word.length > 4 && word.endsWith('ies')) found.push(`${word.slice(0, -3)}y`);
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss'))
    found.push(word.slice(0, -1), word.slice(0, -2));
  for (const ending of ['ing', 'ed', 'er', 'ly', 'ion', 'ation', 'ment']) {
    if (word.length < ending.length + 3 || !word.endsWith(ending)) continue;
    const stem = word.slice(0, -ending.length);
    found.push(stem, `${stem}e`);
    if (stem.at(-1) === stem.at(-2)) found.push(stem.slice(0, -1));
  }
  return found;
}
