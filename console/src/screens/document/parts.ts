import type { Part } from './part.ts';

/** The parts of the workbench, in the order of their tabs. The first is shown when the address names none. */
export const parts: readonly Part[] = [
  { id: 'overview', title: /* t */ 'Overview', icon: 'file-text', load: () => import('./overview/index.tsx') },
  { id: 'bookmarks', title: /* t */ 'Bookmarks', icon: 'list-tree', load: () => import('./bookmarks/index.tsx') },
  { id: 'comments', title: /* t */ 'Comments', icon: 'message-square', load: () => import('./comments/index.tsx') },
  {
    id: 'attachments',
    title: /* t */ 'Attachments',
    icon: 'paperclip',
    load: () => import('./attachments/index.tsx'),
  },
  { id: 'labels', title: /* t */ 'Page labels', icon: 'hash', load: () => import('./labels/index.tsx') },
  { id: 'metadata', title: /* t */ 'Metadata', icon: 'tags', load: () => import('./metadata/index.tsx') },
  { id: 'redact', title: /* t */ 'Redact', icon: 'eraser', load: () => import('./redact/index.tsx') },
];
