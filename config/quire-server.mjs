#!/usr/bin/env node
// quire-server [--settings <file>]           serves
// quire-server settings [--changed] …        prints every effective value with its origin
// quire-server migrate [--settings <file>]   moves the store of the base folder into the MongoDB of the settings
const [major] = process.versions.node.split('.').map(Number);
const [command] = process.argv.slice(2);
const commands = {
  settings: () => import('@quire/core/settings-cli'),
  migrate: () => import('@quire/core/migrate-cli'),
};

if (major !== 24) {
  process.stderr.write(
    `Quire runs on Node 24; this is ${process.versions.node} (https://nodejs.org, or: nvm install 24).\n`,
  );
  process.exitCode = 1;
} else if (command === '--help' || command === '-h') {
  process.stdout.write(
    'quire-server [--settings <file>]           serves; data are in ./data, or in QUIRE_BASE_PATH\n' +
      'quire-server settings [--changed]          prints every effective setting with its origin\n' +
      'quire-server migrate [--settings <file>]   moves the embedded store into the MongoDB of the settings\n',
  );
} else if (command === undefined || command.startsWith('-')) {
  const { serve } = await import('./serve.mjs');
  await serve();
} else if (Object.hasOwn(commands, command)) {
  // The command reads its own options from the rest of the line.
  process.argv.splice(2, 1);
  await commands[command]();
} else {
  process.stderr.write(`Unknown command "${command}"; known are settings, migrate, and none, which serves (--help)\n`);
  process.exitCode = 2;
}
