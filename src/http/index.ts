export { apiRoutes } from './api.ts';
export { doorRoutes } from './door-routes.ts';
export { type Host, startHost } from './host.ts';
export { type OtlpDoor, openOtlpDoor } from './otlp-door.ts';
export { type PageFiles, type PagesPorts, pagesRoute } from './pages.ts';
export { Sessions } from './sessions.ts';
export { tlsOf } from './tls.ts';
export type { Worker } from './types.ts';
