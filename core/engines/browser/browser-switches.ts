/** Features that a browser which prints untrusted documents must not have, disabled by every switch that it reads. */
const features = [
  'Translate',
  'OptimizationHints',
  'MediaRouter',
  'DialMediaRouteProvider',
  'CertificateTransparencyComponentUpdater',
  'AutofillServerCommunication',
  'InterestFeedContentSuggestions',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LazyImageLoading',
  'LazyFrameLoading',
  'Prerender2',
  'SpeculationRules',
  'BackForwardCache',
  'AudioServiceOutOfProcess',
];

/**
 * Returns the command line of the browser. All its requests are answered by this server; as a second barrier, names do
 * not resolve, every connection goes to a proxy that does not exist (loopback too), and the browser has no network at
 * all where the machine allows that.
 */
export function browserSwitches({
  dataFolder,
  sandbox,
}: {
  readonly dataFolder: string;
  readonly sandbox: boolean;
}): string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${dataFolder}`,
    ...(sandbox ? [] : ['--no-sandbox']),
    '--host-resolver-rules=MAP * ~NOTFOUND',
    '--proxy-server=http://nowhere.invalid:1',
    '--proxy-bypass-list=<-loopback>',
    '--dns-prefetch-disable',
    '--disable-quic',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--no-pings',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-domain-reliability',
    '--disable-sync',
    '--disable-client-side-phishing-detection',
    '--disable-default-apps',
    '--disable-extensions',
    '--disable-plugins',
    '--disable-notifications',
    '--disable-speech-api',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--no-first-run',
    '--no-default-browser-check',
    '--mute-audio',
    '--password-store=basic',
    '--use-mock-keychain',
    '--disable-file-system',
    '--disable-databases',
    '--disable-gpu',
    '--disable-webgl',
    '--disable-3d-apis',
    // Else the browser ends at its start where no graphics driver is found, a software one included.
    '--use-gl=disabled',
    '--in-process-gpu',
    // Nothing is shown on a screen: frames are drawn on request only, which nobody makes, and no threads start for
    // them. It saves a quarter of the processor time of a print.
    '--enable-begin-frame-control',
    '--disable-threaded-compositing',
    '--disable-threaded-animation',
    '--disable-dev-shm-usage',
    '--disk-cache-size=1',
    '--font-render-hinting=none',
    '--force-color-profile=srgb',
    '--hide-scrollbars',
    // No script of a page runs, and this server's own scripts do not need a compiler, the source of most security holes
    // of browsers.
    '--js-flags=--jitless',
    `--disable-features=${features.join(',')}`,
    '--enable-features=NetworkServiceInProcess2',
    'about:blank',
  ];
}
