export { type GatewayCommand, runGateway } from './gateway.ts';
