/** Every diagnoser. The order is that of the reasons of causes that blame the same thing. */
import { lostAttempts } from './diagnosers/lost-attempts/lost-attempts.ts';
import { messageWords } from './diagnosers/message-words/message-words.ts';
import { outsideService } from './diagnosers/outside-service/outside-service.ts';
import { settingLimit } from './diagnosers/setting-limit/setting-limit.ts';
import { sharedTool } from './diagnosers/shared-tool/shared-tool.ts';
import type { Diagnoser } from './types.ts';

export const DIAGNOSERS: readonly Diagnoser[] = [
  settingLimit,
  lostAttempts,
  sharedTool,
  outsideService,
  messageWords,
];
