export { apiRoutes } from './api.ts';
export { type Host, startHost } from './host.ts';
export { type OtlpDoor, openOtlpDoor } from './otlp-door.ts';
export type { Worker } from './types.ts';
