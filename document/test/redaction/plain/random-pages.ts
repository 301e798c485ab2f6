/** Returns numbers from 0 to 1, always the same for a seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const WORDS = [
  'secret',
  'a',
  'I',
  'll',
  'iii',
  'co-',
  '-',
  'Mr.',
  '12',
  '3.5',
  'x',
  'Wool',
  'fi',
  '(b)',
  "it's",
  ' ',
  '•',
];
const GAPS = [0, 0, 0.01, -0.01, 0.05, 0.079, -0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.5, 1, 3, 12, -0.3, -1, -8];
const LEADINGS = [1, 1.001, 1.02, 1.2, 1.5, 3, 0.99, 0.8, 0.5, 0.2, 0.02, -1, -1.2, -4];

/**
 * Returns content of upright text whose gaps, leadings, sizes and order are at the limits of what readers see: fonts
 * are named F0 to F`fonts`.
 */
export function randomContent(random: () => number, fonts: number): string {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const usual = random() < 0.5;
  const lines: string[] = [];
  let [x, y, size] = [50, 700, pick([8, 10, 12])];
  const length = 1 + Math.floor(random() * 14);
  for (let i = 0; i < length; i++) {
    if (random() < 0.1) size = pick([6, 8, 10, 12, 14, 30]);
    const parts: string[] = [];
    const words = 1 + Math.floor(random() * 5);
    for (let k = 0; k < words; k++) {
      parts.push(
        `(${pick(WORDS)
          .replaceAll(/[()\\]/g, '\\$&')
          .replaceAll('•', '\\225')})`,
      );
      if (random() < 0.6) parts.push(String(-1000 * (usual ? pick([0, 0.01, 0.25, 0.3]) : pick(GAPS))));
      else if (random() < 0.7) parts.push('( )');
    }
    const spacing = random() < 0.1 ? `${pick([0, 0.2, 0.5, 1, -0.1, 3])} Tc ` : '';
    lines.push(
      `/F${Math.floor(random() * (fonts + 1))} ${size} Tf ${spacing}1 0 0 1 ${x} ${y} Tm [${parts.join('')}] TJ`,
    );
    if (random() < 0.3) {
      const next = pick(WORDS)
        .replaceAll(/[()\\]/g, '\\$&')
        .replaceAll('•', '\\225');
      lines.push(random() < 0.5 ? `(${next}) Tj` : `${pick([20, 60, 90, 150])} 0 Td (${next}) Tj`);
    }
    if (random() < 0.15) x = pick([50, 52, 300, 400, -20]);
    y -= size * (usual ? pick([1, 1.2, 1.5, 3]) : pick(LEADINGS));
    if (y < 30) y = 700;
  }
  return `BT ${lines.join('\n')} ET`;
}
