#!/usr/bin/env node
const [major] = process.versions.node.split('.').map(Number);

if (major === undefined || major < 24) {
  process.stderr.write(
    `quire: This is Node ${process.versions.node}; Quire runs on Node 24.\n` + 'Install it from https://nodejs.org.\n',
  );
  process.exitCode = 1;
} else {
  // Imported here: an older Node cannot even read these modules.
  const { main } = await import('./main.js');
  await main(process.argv.slice(2));
}
