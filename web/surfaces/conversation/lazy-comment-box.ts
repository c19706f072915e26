import { lazyComponent } from '../../ui/lazy-component.tsx'

/** The box for comments, fetched after the page that has it is shown. */
export const LazyCommentBox = lazyComponent(() =>
  import('./comment-box.tsx').then(({ CommentBox }) => CommentBox),
)
