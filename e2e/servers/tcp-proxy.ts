import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** Network conditions between a program and its database. */
type Weather =
  | { readonly kind: 'fair' }
  /** The port is closed. */
  | { readonly kind: 'down' }
  /** Connections are accepted, but no data arrives. */
  | { readonly kind: 'silent' }
  /** After this many bytes of a response, the connection is cut, or no more data arrives. */
  | { readonly kind: 'cut' | 'stall'; readonly afterBytes: number }
  /** The server's data is delayed by this time. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** The server's data arrives corrupted. */
  | { readonly kind: 'garbage' };

export interface TcpProxy {
  readonly port: number;
  /** Applies to existing and future connections, and resets the byte count. */
  set(weather: Weather): Promise<void>;
  /** Number of connections so far. */
  readonly connections: number;
  /** Bytes sent by the server since the conditions were last set. */
  readonly bytes: number;
  close(): Promise<void>;
}

/** Starts a proxy on 127.0.0.1 between a program and a server, with adjustable network conditions. */
export async function startTcpProxy(target: {
  readonly host: string;
  readonly port: number;
}): Promise<TcpProxy> {
  let weather: Weather = { kind: 'fair' };
  let bytes = 0;
  let connections = 0;
  const open = new Set<Socket>();
  const server = createServer(client => {
    connections++;
    const upstream = connect(target.port, target.host);
    // Delayed data keeps its order.
    let line: Promise<unknown> = Promise.resolve();
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on('data', data => {
      if (weather.kind !== 'silent') upstream.write(data);
    });
    upstream.on('data', data => {
      const before = bytes;
      bytes += data.length;
      switch (weather.kind) {
        case 'silent':
          return;
        case 'slow': {
          const { ms } = weather;
          line = Promise.all([line, new Promise(resolve => setTimeout(resolve, ms))]).then(() =>
            client.write(data),
          );
          return;
        }
        case 'garbage':
          return void client.write(Buffer.from(data.map(byte => byte ^ 0x5a)));
        case 'cut':
        case 'stall': {
          const left = weather.afterBytes - before;
          if (left > 0) client.write(data.subarray(0, left));
          // Written data must be sent before the connection is cut.
          if (weather.kind === 'cut' && bytes >= weather.afterBytes) setImmediate(() => client.destroy());
          return;
        }
        default:
          // Piece by piece, so that a client in this process reads each one before the next is
          // sent: otherwise the buffers of the system would hold tens of megabytes.
          upstream.pause();
          line = line.then(() => client.write(data, () => setImmediate(() => upstream.resume())));
      }
    });
  });
  const listen = (port: number) =>
    new Promise<void>(resolve => server.listen(port, '127.0.0.1', () => resolve()));
  const shut = async () => {
    const over = new Promise<void>(resolve => server.close(() => resolve()));
    for (const socket of open) socket.destroy();
    await over;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    get connections() {
      return connections;
    },
    get bytes() {
      return bytes;
    },
    set: async next => {
      bytes = 0;
      if (next.kind === 'down' && weather.kind !== 'down') await shut();
      if (next.kind !== 'down' && weather.kind === 'down') await listen(port);
      weather = next;
    },
    close: async () => {
      if (weather.kind !== 'down') await shut();
    },
  };
}
