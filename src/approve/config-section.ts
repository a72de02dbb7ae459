import { z } from 'zod';
import { duration, field, section } from '../config/index.ts';

export const approveSection = section('approve', 'Who decides, and when nobody has to.', {
  automatic: field(
    z.array(z.enum(['auto', 'notify'])).max(2),
    [],
    'Tiers that need no person. Empty: every change waits for one.',
  ),
  askAgainAfter: field(
    duration({ min: '1h', max: '90d' }),
    '7d',
    'Unanswered this long, it is asked again, louder; it is never approved.',
  ),
});
