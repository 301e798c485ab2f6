import { describeNodesWith } from '../../../test/suites/nodes-with-backplane.js';
import { silentLog } from '../../../test/suites/job-harness.js';
import { mongoStreamsUrl } from '../../../test/suites/temporary-store.js';
import { ChangeStreamBackplane } from './change-stream-backplane.js';

describeNodesWith('change streams of the store', {
  storeUrl: mongoStreamsUrl,
  open: async ({ watch }) => {
    if (watch === undefined) throw new Error('not a MongoDB');
    return new ChangeStreamBackplane({ watch, nodes: async () => 2, serves: true, log: silentLog });
  },
});
