/**
 * The name without its extension: cut at the last dot unless that is the first or last character
 * (`docs/interface/general.yml`, file names).
 */
export function baseName(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 && dot < name.length - 1 ? name.slice(0, dot) : name;
}
