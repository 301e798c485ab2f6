import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { nameSourcesInStacks } from '../operations/workers/index.js';
import { SettingsError, loadSettings, takeSecrets, type Settings } from '../settings/index.js';
import { createServer, type QuireServer } from './create-server.js';
import { releaseMemoryWhenIdle } from './release-memory.js';

/** Returns the product's version from its package.json. */
export function productVersion(productRoot: string): string {
  return (JSON.parse(readFileSync(join(productRoot, 'package.json'), 'utf8')) as { version: string }).version;
}

/**
 * Returns the folders that are searched for plugins: those of the settings files, then the working directory, then the
 * product.
 */
function pluginFolders(settings: Settings, productRoot: string): string[] {
  return [...new Set([...settings.files.slice(1).map((file) => dirname(file)), process.cwd(), productRoot])];
}

type TakenSecrets = ReturnType<typeof takeSecrets>;

/** Exit code that asks a supervisor to start the server again (EX_TEMPFAIL of sysexits.h). */
const RESTART_EXIT_CODE = 75;

/**
 * Starts the server and runs it until a signal arrives. `--settings <file>` names the operator's settings file.
 * Start-up faults are printed, one per line, and the process exits with code 1. `again` is called after a requested
 * restart, once everything has stopped; without it, a process with QUIRE_SUPERVISED=1 exits with RESTART_EXIT_CODE, and
 * any other refuses to restart. `given`: secrets that the caller has taken out of the environment. `settingsFile`: the
 * shipped settings, by default those of a checkout.
 */
export async function runMain(
  productRoot: string,
  {
    again,
    given,
    settingsFile = join(productRoot, 'config', 'settings.yml'),
  }: { readonly again?: () => void; readonly given?: TakenSecrets; readonly settingsFile?: string } = {},
): Promise<void> {
  nameSourcesInStacks();
  const { secrets, remaining } = given ?? takeSecrets();
  let server: QuireServer;
  let stopping = false;
  let cancelRelease = (): void => undefined;
  // The reader of the output may exit before the server does (`npm start | head`); writing must not crash the server
  // then.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const stop = (why: string, then: () => void = () => process.exit(0)): void => {
    if (stopping) return;
    stopping = true;
    cancelRelease();
    process.stdout.write(`${why}: finishing running work\n`);
    server.stop().then(then, (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    });
  };
  const comeBack =
    again ?? (process.env['QUIRE_SUPERVISED'] === '1' ? () => process.exit(RESTART_EXIT_CODE) : undefined);
  try {
    const { values } = parseArgs({ options: { settings: { type: 'string' } } });
    const settings = loadSettings({
      shippedFile: settingsFile,
      env: { ...process.env, ...secrets },
      cwd: process.cwd(),
      warnings: remaining.length === 0 ? [] : [remainingText(remaining)],
      ...(values.settings === undefined ? {} : { argvFile: values.settings }),
    });
    server = await createServer({
      settings,
      resolveFrom: pluginFolders(settings, productRoot),
      version: productVersion(productRoot),
      ...(comeBack === undefined ? {} : { restart: () => stop('restart', comeBack) }),
    });
    const url = await server.start();
    // Before anybody reads that it listens, and stops it.
    process.on('SIGTERM', () => stop('SIGTERM'));
    process.on('SIGINT', () => stop('SIGINT'));
    // When the supervisor that started this process is gone, nobody would stop the process any more.
    process.on('disconnect', () => stop('the supervisor has gone'));
    announce(server, url);
    cancelRelease = releaseMemoryWhenIdle();
  } catch (error) {
    process.stderr.write(`Quire did not start.\n${startupText(error)}\n`);
    process.exit(1);
  }
}

function remainingText(names: readonly string[]): string {
  const files = names.filter((name) => !name.startsWith('AWS_')).map((name) => `${name}_FILE`);
  return (
    `This system does not let the server remove secrets from the environment that it was started with, so other ` +
    `programs of the same user can read them: ${names.join(', ')}. ` +
    `Put them into files${files.length === 0 ? '' : ` and set ${files.join(', ')} to their paths`} instead.`
  );
}

function announce(server: QuireServer, url: string): void {
  const login = server.settings.get('security.enableLogin');
  const onSocket = server.settings.get('server.socket') !== '';
  const lines = [
    `Quire is listening on ${url}`,
    ...(onSocket ? [] : [`  API documentation: ${url}/swagger-ui/index.html`]),
    `  ${server.catalog.operations.size} operations of ${server.catalog.plugins.length} plugins; data in ` +
      `${server.settings.paths.base}`,
  ];
  if (onSocket) lines.push('  Whoever may open the socket can connect; every caller counts as this machine.');
  else if (!login && server.settings.get('server.host') === '')
    lines.push(
      '  Login is off, so only this machine can connect. Set security.enableLogin, or server.host to listen elsewhere.',
    );
  else if (!login)
    lines.push(
      '  Login is off: everybody who can connect may do everything. The server answers as localhost, at its own ' +
        'address, and by the names in server.allowedHosts.',
    );
  process.stdout.write(`${lines.join('\n')}\n`);
}

function startupText(error: unknown): string {
  if (
    error instanceof SettingsError ||
    (error as Error | undefined)?.name === 'CatalogError' ||
    (error as Error | undefined)?.name === 'StartupError'
  )
    return (error as Error).message;
  const { code, port, address } = (error ?? {}) as { code?: string; port?: number; address?: string };
  if (code === 'EADDRINUSE' && port === undefined)
    return `Another server listens on ${address ?? 'the socket'}. Stop it, or set server.socket (SERVER_SOCKET).`;
  if (code === 'EADDRINUSE')
    return `Port ${port ?? ''} is in use. Stop the other program, or set server.port (SERVER_PORT).`;
  if (code === 'EACCES') return `Not allowed to use port ${port ?? ''} or the data folder: ${(error as Error).message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
