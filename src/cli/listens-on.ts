/** Whether others than this machine can reach the server: its routes then rest on tokens alone, sent in the clear. */

/** `localhost`, 127.0.0.0/8 and ::1, in the forms that `server.host` takes. Any other name may be anywhere. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return (
    name === 'localhost' ||
    /^(?:(?:0{0,4}:){1,7}|:)(?:0{0,3}1)$/.test(name) ||
    /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(name)
  );
}

/** The host that is reached from the network; null where only this machine reaches it. */
export function networkHost({ server }: { readonly server: { readonly host: string } }) {
  return isLoopback(server.host) ? null : server.host;
}

export function networkWords(host: string): string {
  return `It listens on the network (server.host ${host}): whoever reaches it needs only a token, and tokens travel unencrypted. 127.0.0.1 keeps it to this machine.`;
}
