/** Every diagnoser. The order is that of the reasons of causes that blame the same thing. */
import { endlessLoop } from './diagnosers/endless-loop/endless-loop.ts';
import { heldSlotsDiagnoser } from './diagnosers/held-slots/held-slots.ts';
import { loadLimit } from './diagnosers/load-limit/load-limit.ts';
import { lostAttempts } from './diagnosers/lost-attempts/lost-attempts.ts';
import { messageWords } from './diagnosers/message-words/message-words.ts';
import { outsideService } from './diagnosers/outside-service/outside-service.ts';
import { refusedAccess } from './diagnosers/refused-access/refused-access.ts';
import { regression } from './diagnosers/regression/regression.ts';
import { retryStorm } from './diagnosers/retry-storm/retry-storm.ts';
import { settingLimit } from './diagnosers/setting-limit/setting-limit.ts';
import { sharedTool } from './diagnosers/shared-tool/shared-tool.ts';
import { sizeLimit } from './diagnosers/size-limit/size-limit.ts';
import { unmetGate } from './diagnosers/unmet-gate/unmet-gate.ts';
import { vainTries } from './diagnosers/vain-tries/vain-tries.ts';
import { wrongCall } from './diagnosers/wrong-call/wrong-call.ts';
import type { Diagnoser } from './types.ts';

export const DIAGNOSERS: readonly Diagnoser[] = [
  regression,
  heldSlotsDiagnoser,
  retryStorm,
  vainTries,
  loadLimit,
  sizeLimit,
  wrongCall,
  endlessLoop,
  unmetGate,
  settingLimit,
  lostAttempts,
  refusedAccess,
  sharedTool,
  outsideService,
  messageWords,
];
