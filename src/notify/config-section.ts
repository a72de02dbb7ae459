import { section } from '../config/index.ts';
import { CHANNELS } from './channels.ts';

type Settings = { readonly [K in keyof typeof CHANNELS]: (typeof CHANNELS)[K]['setting'] };

const settings = Object.fromEntries(
  Object.entries(CHANNELS).map(([key, { setting }]) => [key, setting]),
) as unknown as Settings;

export const notifySection = section('notify', 'Who is told, and where.', settings);
