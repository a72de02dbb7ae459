/** How failures show in random worlds: a code in some style and messages from a grammar, by what happened. */
import type { Dice } from './dice.ts';

export interface Wording {
  readonly code: string;
  readonly messages: string[];
}

interface Grammar {
  /** Words that become a code, or a code as it is. */
  readonly codes: readonly string[];
  readonly who: readonly string[];
  readonly what: readonly string[];
  /** Messages that are not made of parts. */
  readonly fixed: readonly string[];
}

const list = (text: string) => text.split(',');

const GRAMMARS = {
  lost: {
    codes: list('connection reset,ECONNRESET,broken pipe,502,stream closed,network error,503'),
    who: list('connection,socket,stream,peer,upstream connection,channel'),
    what: list('was reset,closed unexpectedly,hung up,went away,dropped,ended early'),
    fixed: ['read ECONNRESET {ip}:{port}', '502 Bad Gateway from {ip}', '503 Service Unavailable'],
  },
  down: {
    codes: list('unavailable,503,internal,500,connection refused,ECONNREFUSED,server error'),
    who: list('service,upstream,backend,host {ip},cluster,server'),
    what: list('is unavailable,is not healthy,cannot be reached,refused the connection,is down'),
    fixed: ['connect ECONNREFUSED {ip}:{port}', '500 Internal Server Error', 'no healthy upstream'],
  },
  missing: {
    codes: list('not found,404,no such record,invalid id,unprocessable,422'),
    who: list('record {number},item {number},document {id},entry,object {id}'),
    what: list('does not exist,was not found,is not readable,has no content,is malformed'),
    fixed: ['404 for {id}', 'nothing with the number {number}'],
  },
  gave_up: {
    codes: list('timeout,aborted,canceled,ETIMEDOUT,deadline exceeded,408,cutoff'),
    who: list('operation,request,call,context,{tool}'),
    what: list(
      'was aborted,canceled,timed out,took too long,exceeded its deadline,gave no answer within {limit_seconds} s,was ended after {limit} ms',
    ),
    fixed: ['connect ETIMEDOUT {ip}:{port}', 'context canceled', 'deadline exceeded'],
  },
  own_limit: {
    codes: list('gateway timeout,504,timeout,query canceled,limit'),
    who: list('query,upstream,statement,job,request'),
    what: list(
      'was ended by the server,took longer than {limit_seconds} s,ran into the limit of the server,exceeded {limit} ms',
    ),
    fixed: ['504 Gateway Timeout', '504: no answer within {limit_seconds} s'],
  },
  too_often: {
    codes: list('rate limited,429,quota,too many requests,throttled,resource exhausted'),
    who: list('quota,budget of this minute,allowance,request rate'),
    what: list('is used up,was exceeded,is spent,is above what is allowed'),
    fixed: ['429 Too Many Requests', 'slow down'],
  },
  too_many: {
    codes: list('busy,overloaded,too many requests,no capacity,503,pool exhausted'),
    who: list('workers,lanes,connections,slots,threads'),
    what: list('are all busy,are all taken,are exhausted,none is free'),
    fixed: ['too many requests at once', 'try again later: no free worker'],
  },
  cut: {
    codes: list('truncated,max tokens,length,incomplete,bad json'),
    who: list('answer,reply,completion,JSON'),
    what: list('ended at {limit} tokens,is incomplete,was cut,stopped in the middle'),
    fixed: ['unexpected end of JSON', 'finish reason: length'],
  },
  too_large: {
    codes: list('too large,context length exceeded,413,input too long,payload'),
    who: list('prompt,input,request,context,payload'),
    what: list('is too long,has more than {limit} tokens,does not fit,exceeds the window'),
    fixed: ['413 Payload Too Large', 'maximum context length reached'],
  },
  bad_form: {
    codes: list('invalid arguments,bad json,parse error,schema,malformed'),
    who: list('{tool}: arguments,{tool}: call,{tool}: body'),
    what: list('cannot be parsed,are no JSON object,do not match the schema'),
    fixed: ['{tool}: unexpected token at position {number}'],
  },
  refused_access: {
    codes: list('unauthorized,401,forbidden,403,expired,permission denied'),
    who: list('key,token,credential,access,certificate'),
    what: list('has expired,was revoked,is not accepted,is not valid any more'),
    fixed: ['401 Unauthorized', '403 Forbidden'],
  },
  sent_back: {
    codes: list('refused by checker,rejected,invalid answer,policy,review'),
    who: list('checker,reviewer,validator,gate'),
    what: list('sent the answer back,did not accept the answer,refused it,asked for another'),
    fixed: ['answer {id} was not accepted'],
  },
} satisfies Record<string, Grammar>;

const ENDS = ['', ' (request {id})', ', trace {id}', ' [{id}]', ' on {ip}'];

export function wording(dice: Dice, of: keyof typeof GRAMMARS): Wording {
  const { codes, who, what, fixed }: Grammar = GRAMMARS[of];
  const message = () =>
    (dice.chance(0.25) ? dice.pick(fixed) : `${dice.pick(who)} ${dice.pick(what)}`) +
    dice.pick(ENDS);
  return {
    code: codeText(dice, dice.pick(codes)),
    messages: [...new Set(Array.from({ length: dice.whole(1, 3) }, message))],
  };
}

/** Some failures say no code at all. */
export function maybeCoded(
  dice: Dice,
  { code, messages }: Wording,
): { code?: string; messages: string[] } {
  return dice.chance(0.15) ? { messages } : { code, messages };
}

function codeText(dice: Dice, words: string): string {
  const parts = words.split(' ');
  const titled = parts.map((part) => part[0]!.toUpperCase() + part.slice(1));
  return dice.pick([
    parts.join('_'),
    parts.join('_'),
    titled.join(''),
    parts.join('-'),
    parts.join('_').toUpperCase(),
  ]);
}
