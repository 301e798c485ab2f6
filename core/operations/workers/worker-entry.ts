// The program of a worker process. V8 has set up the heap by the flags of `workerFlags`, but uses the compiled code of
// Node's own modules, which is a part of the program Node, only with the flags that it was compiled with. So the flag
// is taken back before anything else is loaded, which keeps the heap as it is.
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--initial-heap-size=0');
await import('./worker-main.js');
