import { lazy } from '../../ui/lazy.tsx'

/** The box for comments, fetched after the page that has it is shown. */
export const LazyCommentBox = lazy(() =>
  import('./comment-box.tsx').then(({ CommentBox }) => CommentBox),
)
