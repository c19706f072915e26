// The field for comments and what has it: fetched, in one file, after the page that has it is shown.
import { lazyComponent } from '../../ui/lazy-component.tsx'

export const LazyCommentBox = lazyComponent(() =>
  import('./comment-boxes.ts').then(({ CommentBox }) => CommentBox),
)
export const LazyNewComment = lazyComponent(() =>
  import('./comment-boxes.ts').then(({ NewComment }) => NewComment),
)
export const LazyNoteEditor = lazyComponent(() =>
  import('./comment-boxes.ts').then(({ NoteEditor }) => NoteEditor),
)
export const LazyRestoredDraft = lazyComponent(() =>
  import('./comment-boxes.ts').then(({ RestoredDraft }) => RestoredDraft),
)
