import { duration, field, section } from '../config/index.ts';

export const approveSection = section('approve', 'Asking people for decisions.', {
  askAgainAfter: field(duration({ min: '1h', max: '90d' }), '7d', {
    weakens: 'higher',
    comment: 'Asked again, louder, after this long; never approved without an answer.',
  }),
});
