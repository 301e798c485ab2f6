export { contentDisposition, headerList, headerText } from './content-disposition.js';
export { eventStream } from './event-stream.js';
export { runHeaders } from './respond.js';
