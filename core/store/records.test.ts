import { describeRecords } from '../../test/suites/records.js';
import { describeStores } from '../../test/suites/temporary-store.js';

describeStores('records', describeRecords);
