// Makes sure that a script runs on Node 24, the runtime of Quire. Plain Node without dependencies: it runs on Node
// 20.19 and newer, before anything is installed.
//   node tools/node24.mjs                          prints the path of Node 24
//   node --import ./tools/node24.mjs script.mjs    runs the script on it; `import './node24.mjs'` does the same
// The running Node is used if it is version 24. Otherwise the version pinned in runtime/node.json is fetched once from
// the npm registry and kept in the folder .cache.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAJOR = 24;
const [major, minor] = process.versions.node.split('.').map(Number);
const own = fileURLToPath(import.meta.url);
// The main script need not exist under its name: tsx resolves .js to .ts.
const script = process.argv[1] ?? '';
const printsPath = basename(script) === basename(own) && existsSync(script) && realpathSync(script) === own;

if (printsPath) console.log(await pathOfNode());
else if (major !== MAJOR) await runAgain(await pathOfNode());

/** Returns the path of a Node 24; ends the process with a message if there is none and none can be fetched. */
async function pathOfNode() {
  if (major === MAJOR) return process.execPath;
  try {
    if (major < 20 || (major === 20 && minor < 19))
      throw new Error(`Quire needs Node 20.19 or newer to start; this is ${process.versions.node}.`);
    const { fetchedNode } = await import('./runtime/fetched-node.mjs');
    return fetchedNode();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

/** Runs this process's script and arguments on another Node, and exits as that process does. */
function runAgain(node) {
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    // Scripts with `#!/usr/bin/env node`, npm among them, find the same Node.
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` },
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // A terminal sends Ctrl-C to both processes.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
  // Never settles: nothing else of this process may run.
  return new Promise((_resolve, reject) => child.once('error', reject));
}
