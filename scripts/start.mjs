// `npm start`: installs and builds when needed, then becomes the server: one process, so that signals reach it.
import './ensure-built.mjs';

await import(new URL('../core/dist/main.js', import.meta.url).href);
