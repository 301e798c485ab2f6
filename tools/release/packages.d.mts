interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
}
export const root: string;
export function publishedPackages(): { readonly folder: string; readonly manifest: Manifest }[];
export function packPackages(
  target: string,
  options?: { readonly dryRun?: boolean },
): { readonly name: string; readonly file: string; readonly files: string[] }[];
