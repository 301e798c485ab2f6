import { describeBlobs } from '../../test/suites/blobs.js';
import { describeStores } from '../../test/suites/temporary-store.js';

describeStores('blobs', describeBlobs);
