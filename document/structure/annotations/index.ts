export { addComments, anchorComments, type AnchoredComment, type Comment, type CommentMarks } from './add-comments.js';
export { type Annotation, dropAnnotations, linksToOtherPage, readAnnotations } from './annotations.js';
export { dropAnnotationsAndReferences } from './drop-annotations.js';
export { type CommentList, type ListedComment, listComments } from './list-comments.js';
export { AnnotationTags } from './tag-annotations.js';
