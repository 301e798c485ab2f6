/**
 * Returns a function that makes file names unique, ignoring case: a repeated name gets a number before its extension
 * (`name_1.ext`). `taken` are names that are already in use.
 */
export function distinctNames(taken: Iterable<string> = []): (name: string) => string {
  const used = new Set([...taken].map((name) => name.toLowerCase()));
  return (name) => {
    const dot = name.lastIndexOf('.');
    const base = dot > 0 ? name.slice(0, dot) : name;
    let free = name;
    for (let n = 1; used.has(free.toLowerCase()); n++) free = `${base}_${n}${name.slice(base.length)}`;
    used.add(free.toLowerCase());
    return free;
  };
}
