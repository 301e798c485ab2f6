export function imageConfig(dockerfile: string): {
  readonly User: string;
  readonly WorkingDir: string;
  readonly Volumes: object;
  readonly ExposedPorts: object;
  readonly Env: readonly string[];
  readonly Cmd: readonly string[];
  readonly Healthcheck: {
    readonly Test: readonly string[];
    readonly Interval: number;
    readonly Timeout: number;
    readonly StartPeriod: number;
  };
};
