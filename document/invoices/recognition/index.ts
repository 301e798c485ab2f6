export {
  isReadable,
  kindOf,
  recogniseRoot,
  ROOT_HEAD_BYTES,
  type ForeignKind,
  type RecognisedRoot,
  type Syntax,
} from './recognise-root.js';
