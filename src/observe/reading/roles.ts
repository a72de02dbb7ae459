/**
 * Which key of a record is its time, its session, its tool: by the keys' names, for formats that agree on none. Names
 * are compared by their letters and digits alone, so that `session_id`, `sessionId` and `session.id` are one; a key
 * inside an object is its path. The best known name wins.
 */
import { durationAt, durationIn } from './durations.ts';
import { httpWentWell, type Level, levelOf, wentWell } from './outcomes.ts';
import { timeOf } from './times.ts';
import { countOf, type Fields, isFields, nameOf, textOf } from './values.ts';

/** In order: the first name is the best. */
const NAMES = {
  time: 'timestamp atimestamp time ts datetime eventtime starttime startedat timelocal timeiso8601 date created createdat realtimetimestamp receivedat loggedat endtime asctime t when',
  endTime: 'endtime endedat finishedat completedat',
  session:
    'sessionid session conversationid threadid chatid runid requestid reqid xrequestid correlationid traceid mcpsessionid',
  trace: 'traceid trace tracetraceid',
  span: 'spanid span',
  parent: 'parentspanid parentid',
  agent:
    'agent agentname agentid assistant assistantid service servicename serviceservicename app appname application component name container containername syslogidentifier client clientname clientid consumer consumerusername subject user username actor',
  tool: 'tool toolname functionname function mcptool toolcallname mcptoolname action operation op method rpcmethod command',
  task: 'task taskname taskid job jobname jobid workflow workflowname transaction',
  success: 'success succeeded ok issuccess passed iserror isok',
  status:
    'status statuscode httpstatus httpstatuscode responsestatus responsecode responsestatuscode httpresponsestatuscode resstatuscode code outcome result state',
  decision:
    'decision verdict allowed permitted effect authdecision policydecision blocked denied isblocked disposition',
  error:
    'errormessage error err errormsg errmessage exceptionmessage exception errorstr errorinformationerrormessage failure failurereason blockreason denyreason reason',
  errorCode:
    'errorcode errcode errorinformationerrorcode errortype errtype errorclass exceptiontype errorcategory errorname errorinformationerrorclass responseflags',
  latency:
    'latencyms durationms elapsedms tookms responsetimems latency duration elapsed took responsetime requesttime latenciesrequest latencys durations elapseds durationseconds latencyseconds elapsedseconds elapsedtime durationns durationus durationnanos durationmicros processtime executiontime executiontimems runtime upstreamresponsetime time_taken timetaken',
  level: 'level severity loglevel levelname severitytext priority lvl loglevelname severitynumber',
  message:
    'message msg log text body event eventmessage shortmessage content logmessage detail description output',
  logger: 'logger loggername logname module source caller category',
  model: 'model modelname responsemodel modelid',
  provider:
    'provider customllmprovider servername server mcpserver upstream upstreamcluster upstreamhost servicehost host vendor',
  version: 'version release serviceversion appversion commit',
  inputTokens: 'inputtokens prompttokens usageprompttokens usageinputtokens tokensinput tokensin',
  outputTokens:
    'outputtokens completiontokens usagecompletiontokens usageoutputtokens tokensoutput tokensout',
  cost: 'costusd responsecost totalcost cost usd',
  attempt: 'attempt attempts tries trynumber retrynumber',
  retries: 'retrycount retries retry',
  arguments: 'arguments args toolargs toolinput input params parameters',
  outputBytes: 'bytessent bodybytessent responsesize responsebytes outputbytes',
} as const;
type Role = keyof typeof NAMES;

/** Parts of a record that only hold the others. */
const HOLDERS = new Set(
  'attributes fields data context ctx extra labels metadata meta properties payload details record event info'.split(
    ' ',
  ),
);
const KEYS_MAX = 200;

interface Known {
  readonly role: Role;
  readonly rank: number;
}
const KNOWN: ReadonlyMap<string, readonly Known[]> = (() => {
  const known = new Map<string, Known[]>();
  for (const [role, names] of Object.entries(NAMES) as [Role, string][])
    for (const [rank, name] of names.split(' ').entries())
      known.set(name, [...(known.get(name) ?? []), { role, rank }]);
  return known;
})();

/** Keys repeat in every record; more of them than this are somebody's data. */
const LETTERS_MAX = 5000;
const letters = new Map<string, string>();

/** A key's letters and digits alone, in lower case. */
export function lettersOf(key: string): string {
  const known = letters.get(key);
  if (known !== undefined) return known;
  const found = key
    .slice(0, 80)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
  if (letters.size >= LETTERS_MAX) letters.clear();
  if (key.length <= 80) letters.set(key, found);
  return found;
}

export interface Found {
  readonly key: string;
  readonly value: unknown;
  readonly rank: number;
}
export type Roles = { readonly [R in Role]?: Found };

export function rolesOf(record: Fields): Roles {
  const roles: Partial<Record<Role, Found>> = {};
  let keys = 0;
  const look = (fields: Fields, prefix: string, behind: number, depth: number) => {
    for (const key in fields) {
      if (!Object.hasOwn(fields, key) || ++keys > KEYS_MAX) return;
      const value = fields[key];
      if (value === null || value === undefined || value === '') continue;
      const path = prefix + lettersOf(key);
      for (const { role, rank } of KNOWN.get(path) ?? []) {
        // An object has no say in what only texts and numbers can be.
        if (isFields(value) && role !== 'error' && role !== 'arguments') continue;
        const found = roles[role];
        if (found === undefined || behind + rank < found.rank)
          roles[role] = { key, value, rank: behind + rank };
      }
      if (!isFields(value) || depth >= 2) continue;
      const holds = HOLDERS.has(path);
      look(value, holds ? prefix : path, behind + (holds ? 20 : 1), depth + 1);
    }
  };
  look(record, '', 0, 0);
  return roles;
}

export const nameIn = (found: Found | undefined) => nameOf(found?.value);
export const countIn = (found: Found | undefined) => countOf(found?.value);

export function timeIn(roles: Roles, zoneMinutes = 0): number | undefined {
  return timeOf(roles.time?.value, zoneMinutes);
}

export function levelIn(roles: Roles): Level | undefined {
  return levelOf(roles.level?.value);
}

/** Seconds where the name is one that web servers give in seconds. */
export function latencyIn(roles: Roles): number | undefined {
  const found = roles.latency;
  if (found !== undefined) {
    const name = lettersOf(found.key);
    if (name === 'requesttime' || name === 'upstreamresponsetime' || name === 'processtime')
      return durationIn(found.value, 's') ?? durationAt(found.key, found.value);
    return durationAt(found.key, found.value);
  }
  const from = timeIn(roles);
  const to = timeOf(roles.endTime?.value);
  return from !== undefined && to !== undefined && to >= from
    ? durationIn(to - from, 'ms')
    : undefined;
}

/** What an error says, as a sentence: of an object its message. */
export function errorIn(roles: Roles): { readonly message?: string; readonly code?: string } {
  const { value } = roles.error ?? {};
  const code = nameOf(roles.errorCode?.value);
  const object = isFields(value) ? value : undefined;
  const message = object
    ? textOf(object['message'] ?? object['msg'] ?? object['detail'] ?? object)
    : value === false || value === true || value === 0
      ? undefined
      : textOf(value);
  const kind =
    code ?? (object ? nameOf(object['code'] ?? object['type'] ?? object['name']) : undefined);
  return {
    ...(message === undefined ? {} : { message }),
    ...(kind === undefined || kind === '-' ? {} : { code: kind }),
  };
}

/** Whether it went well: by a flag, a decision, a status, or an error's being there. */
export function successIn(roles: Roles): boolean | undefined {
  const flag = roles.success;
  if (flag !== undefined) {
    const well = wentWell(flag.value);
    if (well !== undefined) return lettersOf(flag.key) === 'iserror' ? !well : well;
  }
  const allowed = allowedIn(roles);
  if (allowed === false) return false;
  const status = roles.status === undefined ? undefined : wentWell(roles.status.value);
  if (status !== undefined) return status;
  if (errorIn(roles).message !== undefined && lettersOf(roles.error?.key ?? '') !== 'reason')
    return false;
  return allowed;
}

/** What a gateway decided; undefined if it says nothing. */
export function allowedIn(roles: Roles): boolean | undefined {
  const found = roles.decision;
  if (found === undefined) {
    const { value } = roles.status ?? {};
    return typeof value === 'string' && /^(?:allowed|denied|blocked|permitted)$/i.test(value)
      ? wentWell(value)
      : undefined;
  }
  const well = wentWell(found.value);
  if (well === undefined) return undefined;
  return /blocked|denied/.test(lettersOf(found.key)) && typeof found.value === 'boolean'
    ? !well
    : well;
}

export function httpStatusIn(roles: Roles): number | undefined {
  const status = countIn(roles.status);
  return status !== undefined && httpWentWell(status) !== undefined ? status : undefined;
}
