/** What tests, the chaos runs and the benchmarks judge calls with. */
import { idMaker, type ManualClock, systemRandom } from '../base/index.ts';
import type { SwitchMode, TaskContext } from '../facts/index.ts';
import type { Store } from '../store/index.ts';
import { SECRET_PATHS } from './config-section.ts';
import { Judge, type JudgePorts } from './judge.ts';
import type { Call, Caller, Contract, GatewaySettings } from './types.ts';

export const contract = (tool: string, rest: Partial<Contract> = {}): Contract => ({
  tool,
  risk: 'low',
  sends: 'never',
  maxArguments: 64 * 1024,
  maxOutput: 64 * 1024,
  arguments: {},
  redact: [],
  ...rest,
});

export const SETTINGS: GatewaySettings = {
  contracts: [
    contract('files/read', { risk: 'read_only' }),
    contract('files/write', { risk: 'low', arguments: { path: { within: ['src/**'] } } }),
    contract('mail/send', { risk: 'medium', sends: 'always' }),
    contract('shop/refund', { risk: 'high', redact: ['card'] }),
    contract('shop/*', { risk: 'low' }),
    contract('*/drop_*', { risk: 'blocked' }),
  ],
  combinations: [{ name: 'secret-out', after: 'secret', next: 'sends', level: 'block' }],
  guardedPaths: SECRET_PATHS,
  uncontracted: 'ask',
  requireTask: true,
  answersNeed: 'token',
  askInClient: false,
  askExpires: 3_600_000,
  remember: 86_400_000,
};

export const CONTEXT: TaskContext = {
  taskId: 'task_1',
  process: 'autopilot',
  phase: 'implement',
  phaseRisk: 'high',
  phaseTools: [],
  personaTools: undefined,
};

export const CALLER: Caller = { agent: 'coder', session: 's1', task: 'task_1' };

export function call(name: string, given: Call['arguments'] = {}, rest: Partial<Call> = {}): Call {
  const at = name.indexOf('/');
  const [server, tool] = [name.slice(0, at), name.slice(at + 1)];
  return { server, tool, arguments: given, definition: 'pinned', ...rest };
}

export function judgeOn(
  { store, clock }: { store: Store; clock: ManualClock },
  given: {
    settings?: Partial<GatewaySettings>;
    context?: TaskContext | undefined;
    mode?: SwitchMode;
    ports?: Partial<JudgePorts>;
  } = {},
): Judge {
  const context = 'context' in given ? given.context : CONTEXT;
  return new Judge({
    store,
    mode: async () => ({ mode: given.mode ?? 'enforce', unchanged: [] }),
    contexts: { ofTask: async () => context, ofSession: async () => context },
    settings: { ...SETTINGS, ...given.settings },
    newId: idMaker(clock, systemRandom),
    isAnswered: async () => true,
    ...given.ports,
  });
}
