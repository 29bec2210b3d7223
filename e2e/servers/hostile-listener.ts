import { createServer, type AddressInfo } from 'node:net';

/** A local port that records everything sent to it and sends a given response. */
export interface HostileListener {
  readonly port: number;
  /** Number of connections so far. */
  readonly connections: number;
  /** Everything received on all connections. */
  readonly received: string;
  close(): Promise<void>;
}

/** @param answer sent once to each client that sends data, before the connection is closed */
export async function startHostileListener(answer?: string): Promise<HostileListener> {
  let connections = 0;
  let received = '';
  const server = createServer(socket => {
    connections++;
    socket.on('error', () => {});
    socket.on('data', data => {
      received += data.toString('latin1');
      if (answer !== undefined) socket.end(answer);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    get received() {
      return received;
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}
