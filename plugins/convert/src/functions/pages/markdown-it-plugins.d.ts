declare module 'markdown-it-footnote' {
  import type MarkdownIt from 'markdown-it';
  const footnotes: (md: MarkdownIt) => void;
  export default footnotes;
}
declare module 'markdown-it-task-lists' {
  import type MarkdownIt from 'markdown-it';
  const taskLists: (md: MarkdownIt) => void;
  export default taskLists;
}
