import type { PeerJob } from './job.js';
import { conversionJobs } from './jobs-conversions.js';
import { documentJobs } from './jobs-documents.js';
import { pageJobs } from './jobs-pages.js';

/** All rows of the table, in its order. */
export const jobs: readonly PeerJob[] = [...pageJobs, ...documentJobs, ...conversionJobs];
