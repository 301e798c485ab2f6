/**
 * True when a name matches a pattern: `*` is any run of characters, `?` one; without regard to case. Takes at most the
 * product of the lengths.
 */
export function matchesGlob(pattern: string, name: string): boolean {
  const [glob, text] = [pattern.toLowerCase(), name.toLowerCase()];
  let [g, t, star, from] = [0, 0, -1, 0];
  while (t < text.length) {
    if (g < glob.length && glob[g] === '*') {
      star = g++;
      from = t;
    } else if (g < glob.length && (glob[g] === '?' || glob[g] === text[t])) {
      g++;
      t++;
    } else if (star >= 0) {
      g = star + 1;
      t = ++from;
    } else return false;
  }
  while (glob[g] === '*') g++;
  return g === glob.length;
}

/**
 * How an entry of an archive is chosen: by its place among the files, from 0 on, or by a pattern of its name, or of its
 * whole path where the pattern holds a slash.
 */
export function chooser(select: string): (name: string, index: number) => boolean {
  if (/^\d{1,6}$/.test(select)) return (_name, index) => index === Number(select);
  return (name) => matchesGlob(select, select.includes('/') ? name : (name.split('/').pop() ?? name));
}
