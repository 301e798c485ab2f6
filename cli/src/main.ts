import { endingOf } from './failure.js';
import { GENERAL_HELP } from './help.js';
import { beQuiet, note, print, printJson } from './output.js';

type Command = (args: readonly string[], signal: AbortSignal) => unknown;

/** Commands besides the tools; each module is loaded when it is called. */
const COMMANDS: Readonly<Record<string, Command>> = {
  serve: (args) => serve(args),
  help: () => print(GENERAL_HELP),
  pipeline: async (...given) => (await import('./pipeline-command.js')).pipelineCommand(...given),
  'import-automations': async (...given) => (await import('./import-command.js')).importCommand(...given),
  jobs: async (...given) => (await import('./jobs-command.js')).jobsCommand(...given),
  tools: async (...given) => (await import('./setup-commands.js')).toolsCommand(...given),
  login: async (...given) => (await import('./setup-commands.js')).loginCommand(...given),
  logout: async () => (await import('./setup-commands.js')).logoutCommand(),
  doctor: async (...given) => (await import('./setup-commands.js')).doctorCommand(...given),
  completion: async ([shell]) => print((await import('./completion.js')).completionScript(shell)),
  __complete: async (words) => print((await import('./completion.js')).completions(words).join('\n')),
};

/** Runs a command line. Sets the exit code; never throws. */
export async function main(args: readonly string[]): Promise<void> {
  const interruption = new AbortController();
  const [command = 'serve', ...rest] = args;
  if (rest.includes('--quiet') || rest.includes('-q')) beQuiet();
  if (command !== 'serve')
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort());
  // Whoever reads the output may have gone, or the disk that it goes to is full.
  process.stdout.once('error', (error) => {
    report(error, false);
    process.exit();
  });
  try {
    await run(command, rest, interruption.signal);
  } catch (error) {
    report(error, rest.includes('--json'));
  }
}

function report(error: unknown, asJson: boolean): void {
  const { exitCode, lines, json } = endingOf(error);
  if (asJson) printJson(json);
  else if (lines.length > 0) process.stderr.write(`quire: ${lines.join('\n')}\n`);
  process.exitCode = exitCode;
}

async function run(command: string, rest: readonly string[], signal: AbortSignal): Promise<void> {
  if (command === '--version') return print((await import('./folders.js')).version);
  const isHelp = command === '--help' || command === '-h';
  if (isHelp) return print(GENERAL_HELP);
  const known = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (known === undefined) return (await import('./tool-command.js')).toolCommand(command, rest, signal);
  if (command !== '__complete' && command !== 'serve' && (rest.includes('--help') || rest.includes('-h')))
    return print(GENERAL_HELP);
  await known(rest, signal);
}

/** Runs the server in this process, with its data in `data` of the working folder. */
async function serve(args: readonly string[]): Promise<void> {
  const { serve: serveHere } = await import('@quire/server');
  // The server reads its own arguments (`--settings <file>`).
  process.argv = [process.argv[0] ?? '', process.argv[1] ?? '', ...args];
  await serveHere();
  note('  Help for the command line: quire --help. Stop with Ctrl+C.');
}
