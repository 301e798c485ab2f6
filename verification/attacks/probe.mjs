// node probe.mjs <address> <milliseconds between probes> <milliseconds>
//
// Asks a server again and again whether it is alive, and prints each answer that comes later than that, as JSON.
const [, , url, every, late] = process.argv;
for (;;) {
  const at = Date.now();
  await fetch(`${url}/livez`).then(
    (answer) => answer.arrayBuffer(),
    () => undefined,
  );
  const ms = Date.now() - at;
  if (ms > Number(late)) console.log(JSON.stringify({ at, ms }));
  await new Promise((resolve) => setTimeout(resolve, Number(every)));
}
