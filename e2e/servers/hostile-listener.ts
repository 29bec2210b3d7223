import { createServer, type AddressInfo } from 'node:net';

/** A port of this machine that keeps all that is sent to it, and answers whatever it is told to. */
export interface HostileListener {
  readonly port: number;
  /** So many have connected. */
  readonly connections: number;
  /** All that was received, of all connections. */
  readonly received: string;
  close(): Promise<void>;
}

/** @param answer sent to whoever says something, once; the connection is ended then */
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
