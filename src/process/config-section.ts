/** What this room contributes to `hone.yaml`. */
import { z } from 'zod';
import { duration, field, section } from '../config/index.ts';
import { definitionSchema } from './definition.ts';

export const processSection = section('process', 'How tasks of agents at work are governed.', {
  own: field(
    z
      .array(definitionSchema)
      .max(20)
      .superRefine((all, context) => {
        const twice = all.findIndex(({ name }, at) =>
          all.slice(0, at).some((one) => one.name === name),
        );
        if (twice < 0) return;
        const why = `There are two processes called ${all[twice]!.name}.`;
        const path = [twice, 'name'];
        context.addIssue({ code: 'custom', path, params: { problem: 'bad_form', why } });
      }),
    [],
    {
      weakens: 'any',
      comment: 'Your own processes: phases, each after another, with the gates that end it.',
    },
  ),
  lease: field(duration({ min: '1m', max: '24h' }), '30m', {
    weakens: 'any',
    comment: 'How long a phase stays with the worker who last did something in it.',
  }),
  stalledAfter: field(duration({ min: '1m', max: '30d' }), '90m', {
    weakens: 'higher',
    comment: 'A person is asked about a task without progress after this.',
  }),
  repeats: field(z.int().min(1).max(100), 3, {
    weakens: 'higher',
    comment: 'A person is asked when a task breaks the same rule so often.',
  }),
});
