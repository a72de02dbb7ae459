import { z } from 'zod';
import { duration, field, section } from '../config/index.ts';

const worsening = () => z.number().min(0.01).max(10);

export const monitorSection = section('monitor', 'How a deployed change is watched.', {
  baseline: field(duration({ min: '1h', max: '7d' }), '24h', {
    weakens: 'any',
    comment: 'The time before the deployment that it is compared with.',
  }),
  fast: field(duration({ min: '1m', max: '24h' }), '1h', {
    weakens: 'lower',
    comment: 'Watched closely for this long.',
  }),
  duration: field(duration({ min: '1h', max: '7d' }), '24h', {
    weakens: 'lower',
    comment: 'Watched for this long in total; longer if there is too little traffic.',
  }),
  fastInterval: field(duration({ min: '1m', max: '1h' }), '1m', {
    weakens: 'higher',
    comment: 'How often it is checked while watched closely.',
  }),
  interval: field(duration({ min: '1m', max: '1h' }), '5m', {
    weakens: 'higher',
    comment: 'How often it is checked afterwards.',
  }),
  errorRate: field(worsening(), 0.25, {
    weakens: 'higher',
    comment: 'Taken back if the share of failing calls rises by more; 0.25 is a quarter.',
  }),
  otherMetrics: field(worsening(), 0.1, {
    weakens: 'higher',
    comment: 'The same for every other watched metric.',
  }),
  hold: field(duration({ min: '1m', max: '24h' }), '1h', {
    weakens: 'higher',
    comment: 'Waits at most this long while other agents fail in the same way.',
  }),
  minEvents: field(z.int().min(1).max(1_000_000), 50, {
    weakens: 'lower',
    comment: 'With fewer events since the deployment, no change is called stable.',
  }),
  probation: field(duration({ min: '0s', max: '90d' }), '14d', {
    weakens: 'lower',
    comment: 'Looked at every hour until this long after the deployment.',
  }),
  lateHarm: field(z.enum(['propose', 'take_back']), 'propose', {
    weakens: 'any',
    comment: 'After harm in probation a person is asked, or it is taken back.',
  }),
  alpha: field(z.number().min(0.000_1).max(0.5), 0.05, {
    weakens: 'any',
    comment: 'The chance that a harmless change is taken back, over its whole watch.',
  }),
});
