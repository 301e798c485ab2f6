import { S3Server } from './s3-server.js';

/** An S3Server in a process of its own, so that what it stores is not in the memory that a test measures. */
const server = await S3Server.start();
process.send?.({ port: server.port });
process.once('disconnect', () => process.exit(0));
