import { lazyComponent } from '../lazy-component.tsx'

/** The badges of a project or group, fetched after the settings around them are shown. */
export const LazyBadges = lazyComponent(() => import('./badges.tsx').then(({ Badges }) => Badges))
