/** Whether other machines can reach the server: then only tokens protect it, and they are sent in the clear. */
import { isLoopback } from '../config/at-start.ts';

/** The host that can be reached from the network; null if only this machine can reach it. */
export function networkHost({ server }: { readonly server: { readonly host: string } }) {
  return isLoopback(server.host) ? null : server.host;
}

export function networkWords(host: string): string {
  return `It listens on the network (server.host ${host}): anybody who can reach it needs only a token, and tokens travel unencrypted. Use 127.0.0.1 to limit it to this machine.`;
}
