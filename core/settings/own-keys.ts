import type { KnownKey } from './known-key.js';

/** Keys of Quire's own: the listener, limits, workers, jobs, stores, plugins. */
export const ownKeys = [
  { path: 'server.port', type: 'integer', default: 8080, min: 0, max: 65535, acts: true, meaning: 'port to listen on; 0 takes a free one' },
  { path: 'server.host', type: 'string', default: '', acts: true, meaning: 'address to listen on; empty: loopback only while login is off, everywhere while it is on' },
  { path: 'server.trustedProxies', type: 'strings', default: [], acts: true, meaning: 'addresses or networks (10.0.0.0/8) of proxies whose X-Forwarded-For is believed' },
  { path: 'server.headersTimeoutSeconds', type: 'integer', default: 10, min: 1, max: 300, acts: true, meaning: 'seconds in which the request headers must arrive' },
  { path: 'server.keepAliveSeconds', type: 'integer', default: 65, min: 1, max: 3600, acts: true, meaning: 'seconds an idle connection stays open; more than the reverse proxy in front keeps one' },
  { path: 'server.maxConnections', type: 'integer', default: 0, min: 0, max: 1000000, acts: true, meaning: 'connections at once; 0 sets no limit' },
  { path: 'server.uploadIdleSeconds', type: 'integer', default: 10, min: 1, max: 3600, acts: true, meaning: 'seconds without progress after which an upload is refused' },
  { path: 'server.uploadMinBytesPerSecond', type: 'integer', default: 1024, min: 0, max: 1000000000, acts: true, meaning: 'average rate below which an upload is refused; 0 sets none' },
  { path: 'server.slowReaderSeconds', type: 'integer', default: 60, min: 1, max: 3600, acts: true, meaning: 'seconds without progress after which a download is ended' },
  { path: 'server.shutdownSeconds', type: 'integer', default: 30, min: 0, max: 3600, acts: true, meaning: 'seconds that running work gets to finish when the server stops' },

  { path: 'system.rootUriPath', type: 'string', default: '', format: 'path-prefix', acts: true, meaning: 'sub-path under which everything is served, as /tools; empty: none' },
  { path: 'system.connectionTimeoutMilliseconds', type: 'integer', default: 1200000, min: 1000, max: 86400000, acts: true, meaning: 'longest life of one request in ms' },
  { path: 'system.caBundle', type: 'string', default: '/etc/ssl/certs/ca-certificates.crt', acts: true, meaning: "file of the operating system's trusted certificates" },

  { path: 'outbound.allowed', type: 'strings', default: [], acts: true, meaning: 'hosts (tsa.corp.example), addresses and networks (10.2.0.0/16) outside the public internet that the server may call' },

  { path: 'licence.tier', type: 'string', default: 'enterprise', allowed: ['free', 'team', 'enterprise'], acts: true, meaning: 'which licence rules hold; this setting alone decides them, premium.key and premium.enabled neither lock nor unlock anything' },
  { path: 'licence.allowance', type: 'integer', default: -1, min: -1, acts: true, meaning: 'units that calls with a key and pipeline steps of the whole server may use in a period; -1 sets no limit' },
  { path: 'licence.allowancePeriod', type: 'string', default: 'none', allowed: ['none', 'day', 'month'], acts: true, meaning: 'when allowance and credits begin anew, in UTC; none: never' },
  { path: 'licence.credits', type: 'integer', default: -1, min: -1, acts: true, meaning: 'cloud only: free units of each team, or of each user without one, in a period; -1 sets no limit' },
  { path: 'licence.spendCap', type: 'integer', default: 0, min: -1, acts: true, meaning: 'cloud only: units beyond the credits that each team has subscribed to; 0: no subscription, -1: without a cap' },
  { path: 'licence.meter', type: 'boolean', default: false, acts: true, meaning: 'count usage although nothing is limited, for GET /api/v1/admin/usage' },
  { path: 'rateLimit', type: 'boolean', default: false, acts: true, meaning: 'daily limits on the POST calls of users with a limited role (ROLE_LIMITED_API_USER and others)' },
  { path: 'hosting', type: 'string', default: 'selfHosted', allowed: ['selfHosted', 'cloud'], acts: true, meaning: 'which hosting rules hold' },
  { path: 'policy.signedInput', type: 'string', default: 'refuse', allowed: ['allow', 'warn', 'refuse'], acts: true, meaning: 'signed files into operations whose result would break the signature' },
  { path: 'document.write', type: 'string', default: 'auto', allowed: ['auto', 'rewrite'], acts: true, meaning: 'auto: changes are appended where an operation only adds or changes; rewrite: every result is written anew, without earlier revisions' },

  { path: 'limits.maxPages', type: 'integer', default: 50000, min: 1, acts: true, meaning: 'pages of one input file' },
  { path: 'limits.maxParts', type: 'integer', default: 1000, min: 1, max: 100000, acts: true, meaning: 'parts of one form' },
  { path: 'limits.maxFieldSize', type: 'string', default: '10MB', format: 'size', acts: true, meaning: 'size of all text fields of one form' },
  { path: 'limits.maxPipelineSteps', type: 'integer', default: 50, min: 1, max: 10000, acts: true, meaning: 'steps of one pipeline' },
  { path: 'limits.maxPixelsPerPicture', type: 'integer', default: 50000000, min: 1, acts: true, meaning: 'pixels of one rendered page' },
  { path: 'limits.maxPixelsPerRun', type: 'integer', default: 2000000000, min: 1, acts: true, meaning: 'pixels of all pages rendered in one run' },
  { path: 'limits.workers', type: 'integer', default: 0, min: 0, max: 1024, acts: true, meaning: 'worker processes at most; 0: one per core' },
  { path: 'limits.workerMemoryMb', type: 'integer', default: 2048, min: 128, max: 1048576, acts: true, meaning: 'memory of one worker process in MB' },
  { path: 'limits.workerRunsBeforeRecycle', type: 'integer', default: 2000, min: 1, acts: true, meaning: 'runs after which a worker process is replaced' },
  { path: 'limits.workerIdleSeconds', type: 'integer', default: 60, min: 1, max: 86400, acts: true, meaning: 'seconds after which an idle worker process ends' },
  { path: 'limits.officeJobsBeforeRecycle', type: 'integer', default: 25, min: 1, max: 1000, acts: true, meaning: 'documents after which a waiting LibreOffice is replaced; 1: a new one for each' },
  { path: 'limits.officeIdleSeconds', type: 'integer', default: 300, min: 1, max: 86400, acts: true, meaning: 'seconds after which a waiting LibreOffice without work ends' },
  { path: 'limits.officeMemoryMb', type: 'integer', default: 1024, min: 16, max: 1048576, acts: true, meaning: 'memory of its own in MB at which a waiting LibreOffice is replaced after a document' },
  { path: 'limits.queueLength', type: 'integer', default: 0, min: 0, max: 1000000, acts: true, meaning: 'runs that may wait; 0: twice the workers and 50 more' },
  { path: 'limits.syncTimeoutSeconds', type: 'integer', default: 60, min: 1, max: 86400, acts: true, meaning: 'time limit of a direct call' },
  { path: 'limits.repairRungSeconds', type: 'integer', default: 15, min: 1, max: 3600, acts: true, meaning: 'time that each engine of a repair may take' },
  { path: 'limits.jobTimeoutSeconds', type: 'integer', default: 900, min: 1, max: 604800, acts: true, meaning: 'time limit of a job' },

  { path: 'browser.path', type: 'string', default: '', acts: true, meaning: 'absolute path of the Chromium that prints HTML; empty: the one of npm, else one on PATH' },
  { path: 'browser.folder', type: 'string', default: '', acts: true, meaning: 'folder in which the Chromium of npm is unpacked once (200 MB); empty: tmp/engines in the base folder' },
  { path: 'browser.idleMinutes', type: 'integer', default: 5, min: 1, max: 1440, acts: true, meaning: 'minutes after which an idle browser ends' },
  { path: 'browser.printsBeforeRestart', type: 'integer', default: 100, min: 1, acts: true, meaning: 'documents after which the browser is started anew' },

  { path: 'jobs.resultExpiryMinutes', type: 'integer', default: 30, min: 1, max: 525600, acts: true, meaning: 'minutes a finished job and its files are kept' },
  { path: 'jobs.cleanupIntervalMinutes', type: 'integer', default: 10, min: 1, max: 1440, acts: true, meaning: 'minutes between removals of expired jobs' },
  { path: 'jobs.concurrency', type: 'integer', default: 0, min: 0, max: 1024, acts: true, meaning: 'jobs at once on this node; 0: as many as workers, less the share that is kept for direct calls' },
  { path: 'jobs.maxQueued', type: 'integer', default: 0, min: 0, max: 10000000, acts: true, meaning: 'jobs that may wait in all; 0: ten times the length of the queue of direct calls' },
  { path: 'jobs.maxQueuedPerOwner', type: 'integer', default: 0, min: 0, max: 10000000, acts: true, meaning: 'jobs of one user that may wait; 0 sets no limit of its own' },
  { path: 'jobs.waitForNodeMinutes', type: 'integer', default: 15, min: 1, max: 10080, acts: true, meaning: 'minutes a job waits for a node that has what it needs before it fails' },

  { path: 'store.mongodb.url', type: 'string', default: '', format: 'mongodb', secret: true, acts: true, meaning: 'MongoDB address; empty: everything is kept in the base folder' },
  { path: 'store.secret', type: 'string', default: '', format: 'secret-key', secret: true, acts: true, meaning: 'secret of the store in 64 hexadecimal digits, the same for all servers on it (openssl rand -hex 32); empty: the file store/server.key, made at the first start' },
  { path: 'store.mongodb.database', type: 'string', default: 'quire', acts: true, meaning: 'MongoDB database name' },

  { path: 'logging.level', type: 'string', default: 'info', allowed: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], acts: true, meaning: 'least level that is logged' },
  { path: 'logging.pretty', type: 'boolean?', default: null, acts: true, meaning: 'readable lines instead of JSON; null: when the log goes to a terminal' },

  { path: 'management.endpoints.web.exposure.include', type: 'strings', default: ['health'], acts: true, meaning: 'which /actuator addresses exist: health, info, prometheus' },
  { path: 'management.endpoint.health.show-details', type: 'string', default: 'never', allowed: ['never', 'when-authorized', 'always'], acts: true, meaning: 'details in /actuator/health' },
  { path: 'management.health.diskspace.threshold', type: 'string', default: '10MB', format: 'size', acts: true, meaning: 'free space of the base folder below which health is DOWN' },
  { path: 'management.prometheus.metrics.export.enabled', type: 'boolean', default: false, acts: true, meaning: 'metrics at /actuator/prometheus' },

  { path: 'plugins', type: 'plugins', default: [], acts: true, meaning: 'packages to load, as a list of {use, optional, options, enabled}' },
  { path: 'operations', type: 'operations', default: {}, acts: true, meaning: 'switches and ceilings by operation path: {enabled, timeout, concurrency, maxBytes, maxPages}' },
] as const satisfies readonly KnownKey[];
