import { duration, field, section } from '../config/index.ts';

export const learnSection = section('learn', 'What is remembered, and for how long.', {
  refusalHolds: field(duration({ min: '0s', max: '365d' }), '7d', {
    weakens: 'lower',
    comment: 'A refused or doubtful change is not proposed again for this long.',
  }),
});
