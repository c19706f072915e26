import { lazy } from '../lazy.tsx'

/** The badges of a project or group, fetched after the settings around them are shown. */
export const LazyBadges = lazy(() => import('./badges.tsx').then(({ Badges }) => Badges))
