export { type AnchoredComment, type Comment, type CommentMarks, addComments, anchorComments } from './add-comments.js';
