export { type GatewayCommand, runGateway } from './gateway.ts';
export { runServer } from './server.ts';
