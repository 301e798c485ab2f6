// `npm start`: installs and builds when needed, then becomes the server. The npm script says `exec`, so that no shell stands
// between: a signal to npm reaches the server, which then stops gracefully.
import './ensure-built.mjs';

await import(new URL('../core/dist/main.js', import.meta.url).href);
