// Reads the settings of the image from the last stage of deploy/Dockerfile, so that an image built without Docker has
// the same.
const SECOND = 1e9; // nanoseconds

/**
 * Returns the `config` object of an image (OCI Image Specification 1.1, config.md) with Docker's `Healthcheck`.
 * Understands the instructions that the file uses, one per line: ENV, USER, VOLUME, EXPOSE, WORKDIR, HEALTHCHECK, CMD.
 */
export function imageConfig(dockerfile) {
  const stage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  const all = (name) => [...stage.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, rest]) => rest.trim());
  const one = (name) => {
    const found = all(name);
    if (found.length !== 1)
      throw new Error(`The last stage of the Dockerfile has ${found.length} lines ${name}, not one.`);
    return found[0];
  };
  return {
    User: one('USER'),
    ExposedPorts: Object.fromEntries(all('EXPOSE').map((port) => [`${port}/tcp`, {}])),
    Env: ['PATH=/usr/local/bin:/usr/bin:/bin', ...all('ENV').flatMap((line) => line.split(/\s+/))],
    Cmd: JSON.parse(one('CMD')),
    Volumes: Object.fromEntries(all('VOLUME').map((path) => [path, {}])),
    WorkingDir: one('WORKDIR'),
    StopSignal: 'SIGTERM',
    Healthcheck: healthcheck(one('HEALTHCHECK')),
  };
}

function healthcheck(line) {
  const at = line.indexOf('CMD ');
  const option = (name) => {
    const seconds = new RegExp(`--${name}=(\\d+)s`).exec(line.slice(0, at))?.[1];
    return Number(seconds ?? 0) * SECOND;
  };
  return {
    Test: ['CMD', ...JSON.parse(line.slice(at + 4))],
    Interval: option('interval'),
    Timeout: option('timeout'),
    StartPeriod: option('start-period'),
  };
}
