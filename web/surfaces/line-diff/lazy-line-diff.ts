import { lazyComponent } from '../../ui/lazy-component.tsx'

/** Fetched where two texts are first compared. */
export const LazyLineDiff = lazyComponent(() =>
  import('./line-diff.tsx').then(({ LineDiff }) => LineDiff),
)
