import { describeNodesWith } from '../../../test/suites/nodes-with-backplane.js';
import { silentLog } from '../../../test/suites/job-harness.js';
import { mongoTestUrl } from '../../../test/suites/temporary-store.js';
import { valkeyProgram, ValkeyServer } from '../../../test/suites/valkey-server.js';
import { openValkeyBackplane } from './valkey-backplane.js';

let valkey: ValkeyServer;

describeNodesWith('Valkey', {
  storeUrl: async () => (valkeyProgram() === undefined ? undefined : mongoTestUrl()),
  beforeEach: async () => void (valkey = await ValkeyServer.start(valkeyProgram() ?? '')),
  afterEach: () => valkey.kill(),
  open: () =>
    openValkeyBackplane({ url: valkey.url, skipCertVerification: false, key: Buffer.alloc(32, 5), log: silentLog }),
});
