/**
 * Cedar policies, parsed once. Hone's own and a team's are one set, so that a forbid of either wins.
 *
 * Closed on failure: Cedar skips a policy that it cannot evaluate, which would open what a forbid closes. Here any
 * such error refuses. The engine is wasm of 4 MB, loaded when the first right is asked and by nothing else.
 */
import { readFileSync } from 'node:fs';
import type * as Cedar from '@cedar-policy/cedar-wasm/nodejs';
import { sha256Hex } from '../base/index.ts';
import { type Actor, VERIFICATIONS, type Verification } from '../facts/index.ts';
import { PolicyError } from './errors.ts';
import {
  type Action,
  groupOf,
  type PolicyFile,
  type RightAnswer,
  type RightAsked,
  type RightSubject,
  type Who,
} from './rights-words.ts';

const shipped = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** More than a team writes by hand; each one costs a few microseconds of every decision. */
const POLICIES_MAX = 500;

let engine: typeof Cedar | undefined;
/** Hone's own, which never change while it runs. */
let own: Promise<PolicySet> | undefined;

async function loaded(): Promise<typeof Cedar> {
  engine ??= (await import('@cedar-policy/cedar-wasm/nodejs')) as typeof Cedar;
  return engine;
}

export class PolicySet {
  readonly #cedar: typeof Cedar;
  /** By which the engine knows it: the digest of what it holds. */
  readonly id: string;
  /** How many policies it holds, Hone's own included. */
  readonly size: number;

  private constructor(cedar: typeof Cedar, id: string, size: number) {
    this.#cedar = cedar;
    this.id = id;
    this.size = size;
  }

  /** Throws `PolicyError` where a file does not parse or names what there is not. */
  static async load(team: readonly PolicyFile[] = []): Promise<PolicySet> {
    if (team.length > 0) return PolicySet.#parse(team);
    own ??= PolicySet.#parse([]);
    return own;
  }

  static async #parse(team: readonly PolicyFile[]): Promise<PolicySet> {
    const cedar = await loaded();
    const policies: Record<string, string> = {};
    for (const { path, text } of [{ path: 'hone', text: shipped('shipped.cedar') }, ...team]) {
      for (const [id, policy] of namedPolicies(cedar, path, text)) policies[id] = policy;
    }
    const size = Object.keys(policies).length;
    if (size > POLICIES_MAX) {
      throw new PolicyError('bad_policy', `${size} policies are more than ${POLICIES_MAX}.`);
    }
    const set = { staticPolicies: policies };
    if (team.length > 0) refuseInvalid(cedar, set);
    const id = sha256Hex(JSON.stringify(policies));
    const parsed = cedar.preparsePolicySet(id, set);
    if (parsed.type === 'failure') throw new PolicyError('bad_policy', firstOf(parsed.errors));
    return new PolicySet(cedar, id, size);
  }

  judge(asked: RightAsked): RightAnswer {
    const answer = this.#cedar.statefulIsAuthorized(callOf(asked, this.id));
    if (answer.type === 'failure') {
      return { allowed: false, by: [], fault: firstOf(answer.errors) };
    }
    const { decision, diagnostics } = answer.response;
    const [error] = diagnostics.errors;
    if (error !== undefined) {
      const by = diagnostics.errors.map(({ policyId }) => policyId).toSorted();
      return { allowed: false, by, fault: `${error.policyId}: ${error.error.message}` };
    }
    return { allowed: decision === 'allow', by: diagnostics.reason.toSorted() };
  }
}

/** What the engine is asked; the bench asks it the same without us. */
export function callOf(
  asked: RightAsked,
  preparsedPolicySetId: string,
): Cedar.StatefulAuthorizationCall {
  const { who, action, subject, door, operators } = asked;
  const principal = { type: TYPES[who.actor.kind], id: who.actor.id };
  const resource = { type: subject.kind, id: subject.id };
  const actionUid = { type: 'Action', id: action };
  return {
    principal,
    action: actionUid,
    resource,
    context: operators === undefined ? { door } : { door, operators },
    preparsedPolicySetId,
    entities: [
      { uid: principal, attrs: provenAs(who.actor), parents: rolesOf(who) },
      { uid: actionUid, attrs: {}, parents: [{ type: 'Action', id: groupOf(action) }] },
      { uid: resource, attrs: attributesOf(subject), parents: [] },
    ],
  };
}

const TYPES = { human: 'Person', agent: 'Agent', system: 'System' } as const;

const provenAs = ({ verified }: Actor) => ({ verified, proof: proofOf(verified) });

/** `signature` and `forge` are equals. */
const proofOf = (verified: Verification) => Math.min(VERIFICATIONS.indexOf(verified), 3);

/** Each role with those below it, so that no entity of a role has to be given. */
const HELD = {
  viewer: ['viewer'],
  approver: ['approver', 'viewer'],
  operator: ['operator', 'approver', 'viewer'],
} as const;

function rolesOf({ actor, role }: Who): Cedar.EntityUidJson[] {
  if (role !== undefined) return HELD[role].map((id) => ({ type: 'Role', id }));
  return [{ type: 'Role', id: actor.verified === 'forge' ? 'reviewer' : 'local' }];
}

function attributesOf(subject: RightSubject): Record<string, Cedar.CedarValueJson> {
  if (subject.kind === 'Gate') return { mode: subject.mode };
  if (subject.kind !== 'Proposal') return {};
  const { kind: _, id: __, files, ...rest } = subject;
  return { ...rest, files: [...files], folders: foldersOf(files) };
}

/** `a/b/c.md` is below `a` and `a/b`: a policy names the folder it is about. */
function foldersOf(files: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.indexOf('/'); end > 0; end = file.indexOf('/', end + 1))
      folders.add(file.slice(0, end));
  }
  return [...folders];
}

/** By `@id`, else by its place in the file: the names by which people are told what decided. */
function namedPolicies(
  cedar: typeof Cedar,
  path: string,
  text: string,
): readonly (readonly [string, string])[] {
  const parts = cedar.policySetTextToParts(text);
  if (parts.type === 'failure') {
    throw new PolicyError('bad_policy', `${path}: ${firstOf(parts.errors)}`);
  }
  if (parts.policy_templates.length > 0) {
    throw new PolicyError('bad_policy', `${path} has a template; write out its policies.`);
  }
  const named = parts.policies.map((policy, at) => {
    const read = cedar.policyToJson(policy);
    if (read.type === 'failure') {
      throw new PolicyError('bad_policy', `${path}: ${firstOf(read.errors)}`);
    }
    return [`${path}:${read.json.annotations?.['id'] ?? at + 1}`, policy] as const;
  });
  const twice = named.find(([id], at) => named.findIndex(([other]) => other === id) < at);
  if (twice !== undefined) {
    throw new PolicyError('bad_policy', `${twice[0]} names two policies. Give each its own @id.`);
  }
  return named;
}

/** A misspelt action or attribute would never match: the policy would be there, and do nothing. */
function refuseInvalid(cedar: typeof Cedar, policies: Cedar.PolicySet): void {
  const answer = cedar.validate({ schema: shipped('shipped.cedarschema'), policies });
  if (answer.type === 'failure') throw new PolicyError('bad_policy', firstOf(answer.errors));
  const [error] = answer.validationErrors;
  if (error !== undefined) {
    throw new PolicyError('bad_policy', `${error.policyId}: ${error.error.message}`);
  }
}

function firstOf(errors: readonly Cedar.DetailedError[]): string {
  const [error] = errors;
  return error === undefined ? 'The policies cannot be read.' : error.message;
}

/** What no set may take from whoever runs Hone: without it a mistake in a policy could not be mended. */
const NEVER_LOCKED: readonly Action[] = ['accept_configuration', 'resume'];

/** Which of them an operator with a token could not do under this set. */
export function lockedOut(set: PolicySet): readonly Action[] {
  const who: Who = {
    actor: { kind: 'human', id: 'token:operator', verified: 'token' },
    role: 'operator',
  };
  const subject = { kind: 'Installation', id: 'hone' } as const;
  return NEVER_LOCKED.filter(
    (action) => !set.judge({ who, action, subject, door: 'command' }).allowed,
  );
}
