// Runs a command of the package `quire` with the inputs of the action, which are in the environment, and writes the
// outputs `files` and `json` to the file GITHUB_OUTPUT.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { once } from 'node:events';

const { INPUT_COMMAND: command = '', INPUT_VERSION: version = 'latest', GITHUB_OUTPUT: outputs, ...rest } = process.env;
const { INPUT_ARGS: args = '', INPUT_URL: url = '', INPUT_API_KEY: key = '', ...env } = rest;

if (!/^[a-z][a-z0-9-]*$/.test(command))
  fail(`"command" must be the name of a command, such as merge; found "${command}"`);
if (!/^[\w.^~-]+$/.test(version)) fail(`"version" must be a version of the package quire; found "${version}"`);

const lines = args
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '' && !line.startsWith('#'));
// No shell: a file name with special characters stays one argument.
const child = spawn('npx', ['--yes', `quire@${version}`, command, ...lines, '--json'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...env, ...(url === '' ? {} : { QUIRE_URL: url }), ...(key === '' ? {} : { QUIRE_API_KEY: key }) },
});
child.once('error', (error) => fail(`npx cannot be started: ${error.message}`));
const printed = [];
child.stdout.on('data', (chunk) => printed.push(chunk));
const [status] = await once(child, 'close');
const text = Buffer.concat(printed).toString('utf8').trim();
process.stdout.write(`${text}\n`);
const answer = parsed(text);
if (status !== 0) fail(answer?.error?.message ?? `quire ${command} ended with exit code ${status}`);
output('json', JSON.stringify(answer ?? text));
output('files', (answer?.files ?? []).map(({ path }) => path).join('\n'));

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** GitHub's form for a value of several lines; the end mark is unknown to whoever writes the value. */
function output(name, value) {
  const mark = randomUUID();
  if (outputs !== undefined) appendFileSync(outputs, `${name}<<${mark}\n${value}\n${mark}\n`);
}

function fail(message) {
  // An annotation of the run: line ends and percent signs are escaped as GitHub wants it.
  const escaped = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  process.stdout.write(`::error title=Quire::${escaped}\n`);
  process.exit(1);
}
