import { basename } from 'node:path';
import type { FileResult } from '@quire/client';
import { kebab } from './command-names.js';
import { EXIT, Failure } from './failure.js';
import { followJob } from './follow-job.js';
import { openInputs, type CommandInput } from './inputs.js';
import { optionName, secondFiles, type ParsedCall, type Tool } from './options.js';
import { note, print, printJson, showsProgress } from './output.js';
import { checkTarget, writeResult, type Target, type Written } from './results.js';
import type { Connection } from './server.js';

/** Runs an operation on the documents of a command line and writes or prints what it returns. */
export async function runOperation(
  { quire }: Connection,
  operation: Tool,
  { global, inputs, options }: ParsedCall,
  signal: AbortSignal,
): Promise<void> {
  const calls = await callsOf(operation, inputs);
  checkOptions(operation, options);
  const target = targetOf(global, inputs, operation);
  if (operation.returns.type === 'file') checkTarget(target, calls.length > 1);
  const written: Written[] = [];
  const answers: unknown[] = [];
  for (const files of calls) {
    const what = `${kebab(operation.name)} ${nameOf(files)}`.trim();
    if (global.job === true) {
      const { id } = await quire.start(operation.path, files, options, { signal });
      if (global.json === true) printJson({ jobId: id });
      else print(id);
      continue;
    }
    const asJob = operation.job && showsProgress() && operation.returns.type === 'file';
    const result = asJob
      ? await followJob(await quire.start(operation.path, files, options, { signal }), what, signal)
      : await quire.call(operation.path, files, options, { signal });
    await takeResult(result, operation, target, { written, answers });
    const last = written.at(-1);
    if (last?.path !== undefined && global.json !== true) note(`Wrote ${last.path}`);
  }
  if (answers.length > 0) printJson(answers.length === 1 ? answers[0] : answers);
  else if (global.json === true && target.output !== '-' && global.job !== true) printJson({ files: written });
}

async function takeResult(
  result: FileResult | undefined,
  { path, returns }: Tool,
  target: Target,
  { written, answers }: { readonly written: Written[]; readonly answers: unknown[] },
): Promise<void> {
  if (result === undefined)
    throw new Failure(
      EXIT.dropped,
      path.startsWith('filter/')
        ? 'The document does not match the filter, so there is no result.'
        : 'Nothing was found in the document, so there is no result.',
    );
  if (returns.type === 'json') answers.push(await result.json());
  else written.push(await writeResult(result, target));
}

/** The documents of each call: all together, or one in each. */
async function callsOf(operation: Tool, args: readonly string[]): Promise<CommandInput[][]> {
  const command = kebab(operation.name);
  const documents = operation.parts.find(({ field }) => field === 'fileInput');
  if (documents === undefined) {
    if (args.length > 0) throw new Failure(EXIT.usage, `${command} has no input file; found "${args[0]}".`);
    return [[]];
  }
  if (args.length === 0)
    throw new Failure(
      EXIT.usage,
      `${command} needs a file.`,
      `For example: quire ${command} in${documents.extensions[0] ?? '.pdf'}`,
    );
  const inputs = await openInputs(args, documents.extensions);
  return operation.files === 'all' ? [inputs] : inputs.map((input) => [input]);
}

/** Names what is missing before a document is sent. Everything else is checked by the server. */
function checkOptions(operation: Tool, options: Readonly<Record<string, unknown>>): void {
  const required = [
    ...operation.fields
      .filter((field) => field.required)
      .map(({ name, help, label }) => ({ name, help: help ?? label })),
    ...secondFiles(operation)
      .filter((part) => part.required)
      .map(({ field, help, label }) => ({ name: field, help: help ?? label })),
  ];
  const missing = required.find(({ name }) => options[name] === undefined);
  if (missing !== undefined)
    throw new Failure(
      EXIT.usage,
      `${kebab(operation.name)} needs --${optionName(missing)}: ${missing.help}`,
      `Help: quire ${kebab(operation.name)} --help`,
    );
}

/** What came from standard input goes to standard output, unless it is a terminal. */
function targetOf({ output, force }: ParsedCall['global'], inputs: readonly string[], { returns }: Tool): Target {
  const piped = output === undefined && inputs.includes('-') && !process.stdout.isTTY && returns.type === 'file';
  if (output === '-' && process.stdout.isTTY && returns.type === 'file')
    throw new Failure(
      EXIT.usage,
      'The result is a file, which a terminal cannot show.',
      'Name a file (-o out.pdf), or redirect.',
    );
  return { output: piped ? '-' : output, force: force === true };
}

function nameOf(files: readonly CommandInput[]): string {
  const [first] = files;
  if (first === undefined) return '';
  const name = 'path' in first ? basename(first.path) : first.name;
  return files.length === 1 ? name : `${name} and ${files.length - 1} more`;
}
