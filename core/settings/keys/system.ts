import type { KnownKey } from '../known-key.js';

/** General behaviour of the server and of its clients. */
export const systemKeys = [
  {
    path: 'system.rootUriPath',
    type: 'string',
    default: '',
    format: 'path-prefix',
    acts: true,
    meaning: 'sub-path under which everything is served, as /tools; empty: none',
  },
  {
    path: 'system.connectionTimeoutMilliseconds',
    type: 'integer',
    default: 1200000,
    min: 1000,
    max: 86400000,
    acts: true,
    meaning:
      'longest time that a direct call may work in ms, also where the operation declares more; ' +
      'limits.syncTimeoutSeconds is the usual limit, and operations.<path>.timeout goes beyond both',
  },
  {
    path: 'system.tessdataUrl',
    type: 'string',
    default: '',
    format: 'url',
    acts: true,
    meaning:
      'base address of <language>.traineddata files, for downloads by administrators into the folder of OCR ' +
      'language data; empty: nothing is downloaded',
  },
  {
    path: 'system.caBundle',
    type: 'string',
    default: '/etc/ssl/certs/ca-certificates.crt',
    fileOnly: true,
    acts: true,
    meaning: "file of the operating system's trusted certificates",
  },
  {
    path: 'system.defaultLocale',
    type: 'string',
    default: '',
    acts: true,
    meaning: 'forced UI language; empty follows the browser, then en-US',
  },
  {
    path: 'system.googlevisibility',
    type: 'boolean',
    default: false,
    acts: true,
    meaning: 'robots.txt allows crawlers',
  },
  {
    path: 'system.enableAlphaFunctionality',
    type: 'boolean',
    default: false,
    acts: true,
    meaning: 'unfinished features',
  },
  { path: 'system.showUpdate', type: 'boolean', default: true, acts: true, meaning: 'announce new versions' },
  {
    path: 'system.showUpdateOnlyAdmin',
    type: 'boolean',
    default: true,
    acts: true,
    meaning: 'announce to administrators only',
  },
  {
    path: 'system.showSettingsWhenNoLogin',
    type: 'boolean',
    default: true,
    acts: true,
    meaning: 'settings button when login is off',
  },
  {
    path: 'system.customHTMLFiles',
    type: 'boolean',
    default: false,
    acts: false,
    instead:
      'The pages are a compiled console without templates; set ui.appNameNavbar and the ui settings for ' +
      'names and logos, or put your own pages before the server with a reverse proxy.',
    meaning: 'templates in customFiles/templates replace built-in pages',
  },
  {
    path: 'system.tessdataDir',
    type: 'string',
    default: '',
    fileOnly: true,
    acts: true,
    meaning:
      'folder of OCR language data (*.traineddata), searched before those of the program and of npm; empty: ' +
      'customFiles/tessdata in the base folder',
  },
  {
    path: 'system.enableAnalytics',
    type: 'boolean?',
    default: null,
    acts: true,
    meaning: 'all analytics; null asks the first administrator',
  },
  {
    path: 'system.enableDesktopInstallSlide',
    type: 'boolean',
    default: true,
    acts: true,
    meaning: 'desktop app slide in the first-run tour',
  },
  {
    path: 'system.enablePosthog',
    type: 'boolean?',
    default: null,
    acts: true,
    meaning: 'product analytics; null follows enableAnalytics',
  },
  {
    path: 'system.enableScarf',
    type: 'boolean?',
    default: null,
    acts: true,
    meaning: 'tracking pixel; null follows enableAnalytics',
  },
  { path: 'system.enableUrlToPDF', type: 'boolean', default: false, acts: true, meaning: 'url-to-pdf tool' },
  {
    path: 'system.disableSanitize',
    type: 'boolean',
    default: false,
    acts: true,
    meaning: 'print HTML as it was sent, forms included; scripts never run, and nothing is loaded from elsewhere',
  },
  {
    path: 'system.maxDPI',
    type: 'integer',
    default: 500,
    min: 1,
    max: 2400,
    acts: true,
    meaning: 'highest DPI for rendering',
  },
  {
    path: 'system.corsAllowedOrigins',
    type: 'strings',
    default: [],
    acts: true,
    meaning: 'other sites whose pages may call this server; * for every site; empty: none',
  },
  { path: 'system.backendUrl', type: 'string', default: '', acts: true, meaning: 'own address for SSO callbacks' },
  {
    path: 'system.frontendUrl',
    type: 'string',
    default: '',
    acts: true,
    meaning: 'address in mails, share links, QR codes; empty uses backendUrl',
  },
  {
    path: 'system.html.urlSecurity.enabled',
    type: 'boolean',
    default: true,
    acts: true,
    meaning: 'check the addresses of web pages and of what they show (convert/url/pdf); false: as level OFF',
  },
  {
    path: 'system.html.urlSecurity.level',
    type: 'string',
    default: 'MEDIUM',
    allowed: ['MAX', 'MEDIUM', 'OFF'],
    acts: true,
    meaning:
      'MAX: only hosts in allowedDomains; MEDIUM: the lists below; OFF: no lists, and private ' +
      'networks may be reached, but not metadata services of clouds',
  },
  {
    path: 'system.html.urlSecurity.allowedDomains',
    type: 'strings',
    default: [],
    acts: true,
    meaning:
      'hosts whose web pages may be printed, at MEDIUM with subdomains; empty at MEDIUM: every public ' +
      'one. References to them stay in office documents (they are not fetched)',
  },
  {
    path: 'system.html.urlSecurity.blockedDomains',
    type: 'strings',
    default: [],
    acts: true,
    meaning: 'hosts whose web pages are not printed, with subdomains; at MEDIUM',
  },
  {
    path: 'system.html.urlSecurity.internalTlds',
    type: 'strings',
    default: ['.local', '.internal', '.corp', '.home'],
    acts: true,
    meaning:
      'endings of host names whose web pages are not printed, unless outbound.allowed lists the name; ' + 'at MEDIUM',
  },
  {
    path: 'system.html.urlSecurity.blockPrivateNetworks',
    type: 'boolean',
    default: true,
    acts: true,
    meaning:
      'refuse web pages on private addresses, loopback and link-local ones included, unless ' +
      'outbound.allowed lists them',
  },
  {
    path: 'system.html.urlSecurity.blockLocalhost',
    type: 'boolean',
    default: true,
    acts: true,
    meaning: 'refuse web pages of this host, where blockPrivateNetworks does not already',
  },
  {
    path: 'system.html.urlSecurity.blockLinkLocal',
    type: 'boolean',
    default: true,
    acts: true,
    meaning: 'refuse web pages on link-local addresses, where blockPrivateNetworks does not already',
  },
  {
    path: 'system.html.urlSecurity.blockCloudMetadata',
    type: 'boolean',
    default: true,
    acts: true,
    meaning: 'refuse the metadata services of clouds, even where outbound.allowed lists them or level is OFF',
  },
  {
    path: 'system.fileUploadLimit',
    type: 'string',
    default: '',
    format: 'size',
    acts: true,
    meaning: 'upload ceiling, 0-999 plus KB, MB or GB; empty none',
  },
  { path: 'endpoints.toRemove', type: 'strings', default: [], acts: true, meaning: 'names of endpoints to switch off' },
  {
    path: 'endpoints.groupsToRemove',
    type: 'strings',
    default: [],
    acts: true,
    meaning: 'groups of endpoints to switch off',
  },
] as const satisfies readonly KnownKey[];
