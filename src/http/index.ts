export { refusal } from './app.ts';
export { foundationRoutes } from './foundation-routes.ts';
export { type Host, startHost } from './host.ts';
export type { Route, RouteAnswer, RouteRequest, Worker } from './types.ts';
