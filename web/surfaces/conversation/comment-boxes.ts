// The field for comments and what has it, in one file.
export { CommentBox } from './comment-box.tsx'
export { NewComment } from './new-comment.tsx'
export { NoteEditor } from './note-editor.tsx'
export { RestoredDraft } from './restored-draft.tsx'
