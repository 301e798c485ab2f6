export type { ErrorForm } from './error-form.js';
export { asQuireError } from './error-body.js';
export { contentDisposition } from './content-disposition.js';
export { eventStream, namedEventStream, type NamedEvent } from './event-stream.js';
export { factHeaders, noticedHeaders } from './fact-headers.js';
export { compress, etagOf, isKnown, type AnswerEncoding, type EncodedAnswer } from './encoded-answer.js';
