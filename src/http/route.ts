/** What a row of the table of routes is, and the kinds of rows: who may ask, and whether it changes anything. */
import { z } from 'zod';
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

/** Any known caller may ask: the use case asks the policies, which know the subject. */
export const byPolicy = route('POST', 'viewer');
export const see = route('GET', 'viewer');
export const inspect = route('GET', 'operator');
export const decide = route('POST', 'approver');
export const operate = route('POST', 'operator');
