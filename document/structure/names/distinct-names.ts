/**
 * Gives a function that hands out file names, each only once, whatever the letters' case: a name that was given already
 * gets a number in front of its extension (`name_1.ext`). `taken` were given before.
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
