/** The element types that compositions use (ISO 32000-1, 14.8.4). */
export type NodeType =
  | 'Document'
  | 'Sect'
  | 'H1'
  | 'H2'
  | 'H3'
  | 'P'
  | 'L'
  | 'LI'
  | 'Lbl'
  | 'LBody'
  | 'Table'
  | 'THead'
  | 'TBody'
  | 'TR'
  | 'TH'
  | 'TD';

/** Marked content on a page, by the page's index. */
export interface Mark {
  readonly page: number;
  readonly id: number;
}

/** An element of the structure tree while the document is laid out. */
export interface Node {
  readonly type: NodeType;
  readonly kids: Node[];
  readonly marks: Mark[];
  /** For TH. */
  readonly scope?: 'Row' | 'Column';
  /** For Table: what it is about. */
  readonly summary?: string;
}

/** Adds an element to another. */
export function addNode(parent: Node, type: NodeType, more: Pick<Node, 'scope' | 'summary'> = {}): Node {
  const node: Node = { type, kids: [], marks: [], ...more };
  parent.kids.push(node);
  return node;
}

/** The root of a tree. */
export function documentNode(): Node {
  return { type: 'Document', kids: [], marks: [] };
}
