import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';

export const hasNginx = spawnSync('nginx', ['-v']).error === undefined;

/** Starts nginx in the foreground with this site. */
export async function startNginx(folder: string, site: string): Promise<ChildProcess> {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
  const configuration = [
    process.getuid?.() === 0 ? 'user root;' : '',
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;`,
    `events { worker_connections 64; }`,
    `http { access_log off; ${places.join(' ')}`,
    `${site}}`,
  ];
  await writeFile(join(folder, 'nginx.conf'), configuration.join('\n'));
  return spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' });
}

/** Whether something listens on a port of this machine. */
export async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** A port of this machine that nothing uses. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Stops nginx and waits for its end. */
export async function stopNginx(nginx: ChildProcess | undefined): Promise<void> {
  if (nginx?.exitCode !== null) return;
  nginx.kill('SIGQUIT');
  await once(nginx, 'exit');
}
