import { duration, field, section } from '../config/index.ts';

export const approveSection = section('approve', 'Asking people for decisions.', {
  askAgainAfter: field(duration({ min: '1h', max: '90d' }), '7d', {
    weakens: 'higher',
    comment: 'Unanswered this long, it is asked again, louder; it is never approved.',
  }),
});
