import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A line between browser and server that can be cut. */
export interface CutLine {
  /** The address at which the browser sees the server. */
  readonly url: string;
  /** Lets so many more bytes pass to the server, and then none. */
  stall(bytes: number): void;
  /** Breaks all connections, and refuses new ones. */
  cut(): void;
  restore(): void;
  stop(): Promise<void>;
}

/** Forwards connections to a port of this machine. */
export async function startLine(port: number): Promise<CutLine> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let left = Infinity;
  const line = createServer((browser) => {
    if (isCut) return void browser.resetAndDestroy();
    const server = connect(port, '127.0.0.1');
    for (const socket of [browser, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        browser.destroy();
        server.destroy();
      });
    }
    server.pipe(browser);
    browser.on('data', (bytes) => {
      left -= bytes.length;
      if (left <= 0) browser.pause();
      server.write(bytes);
    });
  });
  await new Promise<void>((resolve) => void line.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(line.address() as AddressInfo).port}`,
    stall: (bytes) => void (left = bytes),
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    restore: () => {
      isCut = false;
      left = Infinity;
    },
    stop: () =>
      new Promise((resolve) => {
        line.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
