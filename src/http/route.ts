/** What a row of the table of routes is, and the kinds of rows: who may ask, and whether it changes anything. */
import { z } from 'zod';
import { type Action, whyForbidden } from '../app/authorise.ts';
import type { AppContext } from '../app/context.ts';
import type { Refusal } from '../app/refusal.ts';
import type { Wire } from '../contracts/shapes.ts';
import type { Role } from '../facts/index.ts';

export interface ApiRoute {
  readonly method: 'GET' | 'POST';
  /** `:id` is what the use case is asked about. */
  readonly path: string;
  readonly role: Role;
  readonly about: string;
  /** The query of a GET, the body of a POST. */
  readonly input: z.ZodType;
  readonly answer: z.ZodType;
  /** Of a POST: what the policies are asked before it is called; `asked_inside`: the use case asks, about its subject. */
  readonly right?: Action | 'asked_inside';
  call(context: AppContext, input: never, id: string): Promise<object | Refusal>;
}

interface Spec<Input extends z.ZodType, Answer extends z.ZodType> {
  readonly about: string;
  readonly input?: Input;
  readonly answer: Answer;
  call(context: AppContext, input: Wire<Input>, id: string): Promise<Wire<Answer> | Refusal>;
}

const nothing = z.strictObject({});

function route(method: ApiRoute['method'], role: Role) {
  return <Input extends z.ZodType, Answer extends z.ZodType>(
    path: string,
    { input, ...spec }: Spec<Input, Answer>,
  ): ApiRoute => ({ method, role, path, input: input ?? nothing, ...spec }) as ApiRoute;
}

/** The role is what it takes at least; the policies, Hone's and the team's, have the last word. */
function asked(role: Role) {
  const make = route('POST', role);
  return <Input extends z.ZodType, Answer extends z.ZodType>(
    path: string,
    right: Action,
    spec: Spec<Input, Answer>,
  ): ApiRoute => ({
    ...make(path, {
      ...spec,
      call: async (context, input, id) =>
        (await whyForbidden(context, right)) ?? spec.call(context, input, id),
    }),
    right,
  });
}

/** Any known caller may ask: the use case asks the policies, which know the subject. */
export const byPolicy: ReturnType<typeof route> = (path, spec) => ({
  ...route('POST', 'viewer')(path, spec),
  right: 'asked_inside',
});
export const see = route('GET', 'viewer');
export const inspect = route('GET', 'operator');
export const decide = asked('approver');
export const operate = asked('operator');
