import { duration, field, section } from '../config/index.ts';

export const learnSection = section('learn', 'What is remembered, and for how long.', {
  refusalHolds: field(duration({ min: '0s', max: '365d' }), '7d', {
    weakens: 'lower',
    comment: 'Refused or taken back in doubt, a change is not proposed again this long.',
  }),
});
