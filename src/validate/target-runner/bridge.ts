/**
 * The sandbox has no network but its own loopback. Where hosts or a model are allowed, a program of Hone's in it takes connections
 * there and hands them on to the socket of the proxy outside (`proxy.ts`, `model/`), then starts the command.
 */

/** Where the socket is seen inside. */
export const BRIDGE_SOCKET = '/work/proxy';
/** Nobody else is on this loopback. */
const PORT = 3128;
export const URL_INSIDE = `http://127.0.0.1:${PORT}`;

export const BRIDGE_ENVIRONMENT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'http_proxy',
      'https_proxy',
      'HTTP_PROXY',
      'HTTPS_PROXY',
      'npm_config_proxy',
      'npm_config_https_proxy',
    ].map((name) => [name, URL_INSIDE]),
  ),
  NO_PROXY: 'localhost,127.0.0.1',
};

/** For `node -e`; the command and its arguments come behind it. */
export const BRIDGE = `
const { connect, createServer } = require('node:net');
const { spawn } = require('node:child_process');
const server = createServer({ allowHalfOpen: true }, (near) => {
  const far = connect({ path: ${JSON.stringify(BRIDGE_SOCKET)}, allowHalfOpen: true });
  for (const one of [near, far]) one.on('error', () => { near.destroy(); far.destroy(); });
  near.pipe(far).pipe(near);
});
server.listen(${PORT}, '127.0.0.1', () => {
  const [program, ...words] = process.argv.slice(1);
  const child = spawn(program, words, { stdio: 'inherit' });
  child.on('error', (error) => { console.error(error.message); process.exit(127); });
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 1));
});
`;
