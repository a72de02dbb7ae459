/** What the files of a target say, apart from how they are written: the part of a world that a commit changes. */
import type { SettingKind } from './names.ts';

export type ToolValues = Partial<Record<SettingKind, number | string | readonly string[]>>;

export interface AgentSpec {
  readonly name: string;
  readonly tools: Readonly<Record<string, ToolValues>>;
  readonly model: string;
  readonly rules: readonly string[];
  /** Arguments of tools, as the schemas in the target have them. */
  readonly schemas?: Readonly<Record<string, readonly string[]>>;
  /** Time limits at these tools lost their unit: a bare number that is read as milliseconds. */
  readonly unitless?: readonly string[];
}

/** A limit of several calls that the target itself sets: requests a minute, or places at once. */
export interface LimitSpec {
  readonly name: string;
  readonly kind: 'rate' | 'concurrency';
  readonly value: number;
}

/** One value in one place for several agents, or for all tools of one. */
export interface SharedSpec {
  readonly name: string;
  readonly kind: SettingKind;
  readonly agents: readonly string[];
  readonly tools: readonly string[];
}

export type TimeStyle = 'ms' | 's' | 'text' | 'words' | 'quoted' | 'iso';

export interface Values {
  readonly agents: readonly AgentSpec[];
  readonly limits: readonly LimitSpec[];
  readonly shared: readonly SharedSpec[];
  /** How times are written, where something depends on it. */
  readonly times?: TimeStyle | undefined;
  /** Changed by commits that change nothing else. */
  readonly users: number;
  /** Numbers of limits that also stand where nobody reads them, in ms. */
  readonly echoed: readonly number[];
}

export type Edit = (values: Values) => Values;

export function allOf(edits: readonly Edit[]): Edit {
  return (values) => edits.reduce((now, edit) => edit(now), values);
}

export function withAgent(name: string, change: (agent: AgentSpec) => Partial<AgentSpec>): Edit {
  return (values) => ({
    ...values,
    agents: values.agents.map((one) => (one.name === name ? { ...one, ...change(one) } : one)),
  });
}

export function withValues(agent: string, tool: string, some: ToolValues): Edit {
  return withAgent(agent, ({ tools }) => ({
    tools: { ...tools, [tool]: { ...tools[tool], ...some } },
  }));
}

export function withLimit(name: string, value: number): Edit {
  return (values) => ({
    ...values,
    limits: values.limits.map((one) => (one.name === name ? { ...one, value } : one)),
  });
}
