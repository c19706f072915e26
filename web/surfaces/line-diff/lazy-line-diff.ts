import { lazy } from '../../ui/lazy.tsx'

/** Fetched where two texts are first compared. */
export const LazyLineDiff = lazy(() => import('./line-diff.tsx').then(({ LineDiff }) => LineDiff))
