export { addComments, anchorComments, type AnchoredComment, type Comment, type CommentMarks } from './add-comments.js';
export { type Annotation, dropAnnotations, linksAway, readAnnotations } from './annotations.js';
export { dropAnnotationsWhole } from './drop-annotations.js';
export { AnnotationTags } from './tag-annotations.js';
