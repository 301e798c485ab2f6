import type { ShownOperation } from '@quire/registry';
import { catalogOf } from './catalog.js';
import { findOperation } from './command-names.js';
import { EXIT, Failure } from './failure.js';
import { operationHelp } from './help.js';
import { parseOperation, type Tool } from './options.js';
import { print } from './output.js';
import { runOperation } from './run-operation.js';
import { isSavedOnly, savedTool } from './saved-pipelines.js';
import { connectTo, type Connection, type ServerChoice } from './server.js';

/** `quire <tool> [files] [options]`. */
export async function toolCommand(command: string, args: readonly string[], signal: AbortSignal): Promise<void> {
  if (command.startsWith('-'))
    throw new Failure(EXIT.usage, `Unknown option ${command}; name a command first.`, 'Help: quire --help');
  const connection = await connectTo(choiceIn(args), signal);
  const operation = await findTool(connection, command, signal);
  if (args.includes('--help') || args.includes('-h')) return print(operationHelp(operation));
  const { state, reason } = operation.availability ?? { state: 'available' };
  if (state !== 'available')
    throw new Failure(
      EXIT.forbidden,
      reason ?? `${command} is not available on this server.`,
      'What is missing: quire doctor',
    );
  await runOperation(connection, operation, parseOperation(operation, args), signal);
}

type FoundTool = Tool & Partial<Pick<ShownOperation, 'availability'>>;

/** A tool of the catalog; if the word names none, a saved pipeline. */
async function findTool(connection: Connection, command: string, signal: AbortSignal): Promise<FoundTool> {
  if (isSavedOnly(command)) {
    const saved = await savedTool(connection, command, signal);
    if (saved !== undefined) return saved;
    throw new Failure(EXIT.unknown, `There is no saved pipeline ${command}.`, 'List all: quire tools');
  }
  const { operations } = await catalogOf(connection, signal);
  try {
    return findOperation(operations, command);
  } catch (error) {
    const saved = await savedTool(connection, command, signal);
    if (saved !== undefined) return saved;
    throw error;
  }
}

/** The server must be known before the options of its tool are. */
function choiceIn(args: readonly string[]): ServerChoice {
  const at = args.findIndex((arg) => arg === '--url' || arg.startsWith('--url='));
  const given = args[at];
  const url = given === '--url' ? args[at + 1] : given?.slice('--url='.length);
  return { local: args.includes('--local'), ...(at < 0 ? {} : { url }) };
}
