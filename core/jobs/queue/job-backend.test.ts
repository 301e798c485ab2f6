import { MongoBackend } from '@agendajs/mongo-backend';
import { describeJobBackend } from '../../../test/suites/job-backend.js';
import { describeStores } from '../../../test/suites/temporary-store.js';
import { createEmbeddedBackend } from './embedded-backend.js';

describeStores('job backend', (make) =>
  describeJobBackend(make, async (store) =>
    store.mongo
      ? new MongoBackend({ mongo: store.mongo.database, collection: 'agenda_jobs' })
      : createEmbeddedBackend(store),
  ),
);
