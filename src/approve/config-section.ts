import { z } from 'zod';
import { duration, field, group, section } from '../config/index.ts';

const people = (tier: string) =>
  field(z.int().min(1).max(10), 1, {
    weakens: 'lower',
    comment: `How many people must approve at tier ${tier}.`,
  });

const ownersSchema = z
  .array(
    z.strictObject({
      owner: z.string().min(1).max(200),
      people: z.array(z.string().min(1).max(200)).min(1).max(100),
    }),
  )
  .max(500);

type Owners = z.output<typeof ownersSchema>;

/** Whoever is added can approve what they could not approve before. */
const MORE_PEOPLE = {
  when: 'somebody added',
  isWeaker: (before: Owners, after: Owners) => {
    const known = new Set(before.flatMap(pairs));
    return after.flatMap(pairs).some((pair) => !known.has(pair));
  },
};

const pairs = ({ owner, people: all }: Owners[number]) =>
  all.map((person) => JSON.stringify([owner, person]));

export const approveSection = section('approve', 'Asking people for decisions.', {
  askAgainAfter: field(duration({ min: '1h', max: '90d' }), '7d', {
    weakens: 'higher',
    comment: 'Asked again, louder, after this long; never approved without an answer.',
  }),
  baseline: field(duration({ min: '1d', max: '14d' }), '7d', {
    weakens: 'lower',
    comment: 'So long the fleet must be steady before a tier may decide without a person.',
  }),
  approvers: group('How many people must approve, by tier.', {
    approve: people('approve'),
    require: people('require'),
  }),
  codeOwners: field(z.boolean(), false, {
    weakens: { when: 'off', isWeaker: (before, after) => before && !after },
    comment: 'Whether an owner of each file, by CODEOWNERS of its base, must approve.',
  }),
  owners: field(ownersSchema, [], {
    weakens: MORE_PEOPLE,
    comment: 'Who the owners there are: owner (@org/team), people (as Hone knows them).',
  }),
});
