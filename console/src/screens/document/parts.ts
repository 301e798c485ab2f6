import type { Part } from './part.ts';

/** The parts of the workbench, in the order of their tabs. The first is shown when the address names none. */
export const parts: readonly Part[] = [
  { id: 'overview', title: /* t */ 'Overview', icon: 'file-text', load: () => import('./overview/index.tsx') },
  { id: 'forms', title: /* t */ 'Fill in', icon: 'text-cursor-input', load: () => import('./forms/index.tsx') },
  { id: 'redact', title: /* t */ 'Redact', icon: 'eraser', load: () => import('./redact/index.tsx') },
];
