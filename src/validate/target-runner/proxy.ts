/**
 * A forward proxy for what prepares dependencies: CONNECT and absolute URLs, to the hosts that the accepted
 * configuration names and to no other. Who asks is not trusted. Names are resolved here, and the connection goes to the
 * very address that was checked: a name that leads into a private network is refused unless its address is named too.
 */
import { lookup } from 'node:dns/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { BlockList, connect, isIP, isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';

export interface OpenProxy extends AsyncDisposable {
  /** What was asked for and not allowed, each once. */
  refused(): readonly string[];
}

export interface ProxyOptions {
  /** Names or addresses, each alone (ports 80 and 443) or with its port. */
  readonly hosts: readonly string[];
  /** The path to listen at. */
  readonly socket: string;
}

const USUAL_PORTS = [80, 443];
const PORT_MAX = 65_535;
const CONNECTIONS_MAX = 256;
const REFUSED_MAX = 20;

/** Not addresses of the public internet (RFC 6890). */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv4');

/** Of IPv6 only the global unicast addresses are public, without those that hold one of IPv4. */
const PUBLIC_6 = new BlockList();
PUBLIC_6.addSubnet('2000::', 3, 'ipv6');
const MAPPED_6 = new BlockList();
MAPPED_6.addSubnet('2002::', 16, 'ipv6');
MAPPED_6.addSubnet('2001::', 32, 'ipv6');

function isPrivate(address: string): boolean {
  if (!isIPv6(address)) return PRIVATE.check(address, 'ipv4');
  return !PUBLIC_6.check(address, 'ipv6') || MAPPED_6.check(address, 'ipv6');
}

export async function openProxy({ hosts, socket: path }: ProxyOptions): Promise<OpenProxy> {
  const allowed = new Set(hosts.map((host) => host.toLowerCase()));
  const refused = new Set<string>();
  const open = new Set<Duplex>();
  const keep = (one: Duplex) => {
    open.add(one);
    one.on('error', () => one.destroy());
    one.on('close', () => open.delete(one));
  };

  /** The address to connect to; undefined where it is not allowed. */
  async function addressOf({ host, port }: Place): Promise<string | undefined> {
    const isNamed = (name: string) =>
      allowed.has(`${name}:${port}`) || (USUAL_PORTS.includes(port) && allowed.has(name));
    const found = isNamed(host) ? await addressesOf(host) : [];
    const address = found.find((one) => !isPrivate(one) || isNamed(one));
    if (address === undefined && refused.size < REFUSED_MAX) refused.add(`${host}:${port}`);
    return address;
  }

  // Nothing that is asked for, or answered, may end Hone: whatever is wrong with it ends its connection.
  const server = createServer((incoming, answer) => {
    answer.on('error', () => answer.destroy());
    forward(incoming, answer, addressOf).catch(() => answer.destroy());
  });
  server.on('connection', keep);
  server.on('connect', (incoming: IncomingMessage, near: Duplex, head: Buffer) => {
    tunnel(incoming, { near, head, addressOf, keep }).catch(() => near.destroy());
  });
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  return {
    refused: () => [...refused],
    async [Symbol.asyncDispose]() {
      for (const one of open) one.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

interface Place {
  readonly host: string;
  readonly port: number;
}

/** `registry.example.org:443`, `[2001:db8::1]:443` */
function placeOf(authority: string): Place | undefined {
  const [, six, name, port] =
    /^(?:\[([0-9a-f:]+)\]|([a-z0-9.-]+)):(\d{1,5})$/i.exec(authority) ?? [];
  const host = (six ?? name)?.toLowerCase().replace(/\.$/, '');
  const isPlace = host !== undefined && host !== '' && Number(port) <= PORT_MAX;
  return isPlace ? { host, port: Number(port) } : undefined;
}

async function addressesOf(host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}

function refusal(): string {
  const text = 'This host is not in validate.hosts.\n';
  return `HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
}

type AddressOf = (place: Place) => Promise<string | undefined>;

interface Tunnel {
  readonly near: Duplex;
  readonly head: Buffer;
  readonly addressOf: AddressOf;
  keep(one: Duplex): void;
}

async function tunnel({ url = '' }: IncomingMessage, { near, head, addressOf, keep }: Tunnel) {
  const place = placeOf(url);
  const address = place && (await addressOf(place));
  if (place === undefined || address === undefined) {
    near.end(refusal());
    return;
  }
  if (near.destroyed) return;
  const far = connect(place.port, address, () => {
    near.write('HTTP/1.1 200 Connection established\r\n\r\n');
    if (head.length > 0) far.write(head);
    near.pipe(far).pipe(near);
  });
  keep(far);
  // When it ends well, the pipe ends the other side once everything is written.
  far.on('error', () => near.destroy());
  near.on('close', () => far.destroy());
}

async function forward(
  incoming: IncomingMessage,
  answer: ServerResponse,
  addressOf: AddressOf,
): Promise<void> {
  const url = URL.canParse(incoming.url ?? '') ? new URL(incoming.url!) : undefined;
  const place =
    url?.protocol === 'http:' ? placeOf(`${url.hostname}:${url.port || 80}`) : undefined;
  const address = place && (await addressOf(place));
  if (url === undefined || place === undefined || address === undefined) {
    answer.writeHead(403, { connection: 'close' }).end('This host is not in validate.hosts.\n');
    return;
  }
  const { 'proxy-authorization': _, 'proxy-connection': __, ...headers } = incoming.headers;
  const onward = request(
    {
      host: address,
      port: place.port,
      method: incoming.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...headers, host: url.host },
    },
    (reply) => {
      reply.on('error', () => answer.destroy());
      try {
        answer.writeHead(reply.statusCode!, reply.headers);
        reply.pipe(answer);
      } catch {
        answer.destroy();
      }
    },
  );
  onward.on('error', () => answer.destroy());
  incoming.on('error', () => onward.destroy());
  answer.on('close', () => onward.destroy());
  incoming.pipe(onward);
}
