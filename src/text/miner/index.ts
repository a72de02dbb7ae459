export { type Added, FORMS_MAX, Miner } from './miner.ts';
export type { MinerChanges, MinerState } from './state.ts';
export type { Template, TemplateVariable } from './template.ts';
