// node deploy/image/bundle-config.mjs <bundle> <data folder>
// Tightens the configuration of an unpacked image (OCI Runtime Specification 1.1) to what compose.yml and the chart ask
// for: a read-only root file system, no capabilities, the seccomp profile, one writable volume, /tmp in memory.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [bundle, data] = process.argv.slice(2);
const file = join(bundle, 'config.json');
const config = JSON.parse(readFileSync(file, 'utf8'));
const seccomp = JSON.parse(readFileSync(new URL('../kubernetes/seccomp.json', import.meta.url), 'utf8'));

config.root.readonly = true;
Object.assign(config.process, {
  terminal: false,
  noNewPrivileges: true,
  // The test reads the state of the confinement in /actuator/health.
  env: [...config.process.env, 'MANAGEMENT_ENDPOINT_HEALTH_SHOWDETAILS=always'],
  capabilities: { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] },
});
config.mounts = [
  ...config.mounts.filter(({ destination }) => !['/data', '/tmp'].includes(destination)),
  { destination: '/data', type: 'bind', source: data, options: ['bind', 'rw', 'nosuid', 'nodev'] },
  { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777', 'size=1g'] },
];
config.linux.seccomp = seccomp;
writeFileSync(file, JSON.stringify(config, null, 2));
