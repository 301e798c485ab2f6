export { addComments, anchorComments, type AnchoredComment, type Comment, type CommentMarks } from './add-comments.js';
export { type Annotation, dropAnnotations, linksToOtherPage, readAnnotations } from './annotations.js';
export { dropAnnotationsAndReferences } from './drop-annotations.js';
export { AnnotationTags } from './tag-annotations.js';
