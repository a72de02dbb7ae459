/** Whether others than this machine can reach the server: its routes then rest on tokens alone, sent in the clear. */
import { isLoopback } from '../config/at-start.ts';

/** The host that is reached from the network; null where only this machine reaches it. */
export function networkHost({ server }: { readonly server: { readonly host: string } }) {
  return isLoopback(server.host) ? null : server.host;
}

export function networkWords(host: string): string {
  return `It listens on the network (server.host ${host}): anybody who can reach it needs only a token, and tokens travel unencrypted. Use 127.0.0.1 to limit it to this machine.`;
}
