export { type Appended, type AppendOptions, appendBytes, appendTo } from './append.js';
export { type RewriteOptions, type Rewritten, rewriteBytes, rewriteTo } from './rewrite.js';
export { CountingSink, FileSink, MemorySink, type Sink } from './sink.js';
export { ByteWriter } from './byte-writer.js';
export { type Renumber, Serialiser, type StringCipher } from './serialize.js';
export { forbidsObjectStreams } from './version.js';
export { linearizeBytes, linearizeFile, type LinearizeOptions } from './linearize.js';
