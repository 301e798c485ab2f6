/** Lines of definitions in one module; with its head it stays below the limit of 400. */
const MODULE_LINES = 370;

/** Distributes definitions over modules of limited length, in order. */
export function split(definitions: readonly string[]): string[][] {
  const modules: string[][] = [[]];
  let lines = 0;
  for (const text of definitions) {
    const length = text.split('\n').length + 1;
    if (lines + length > MODULE_LINES && lines > 0) {
      modules.push([]);
      lines = 0;
    }
    modules.at(-1)?.push(text);
    lines += length;
  }
  return modules;
}
