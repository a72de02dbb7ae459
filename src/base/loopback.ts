/** Which names of a host are this machine alone. Imports nothing: `hone status` asks it too. */

/** `localhost`, 127.0.0.0/8 and ::1, in the forms that `server.host` takes. Any other name may be anywhere. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return (
    name === 'localhost' ||
    /^(?:(?:0{0,4}:){1,7}|:)(?:0{0,3}1)$/.test(name) ||
    /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(name)
  );
}
