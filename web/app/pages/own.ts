// Small pages of one's own settings, in one file.
export { page as emails } from '../../features/people/emails/email.page.tsx'
export { page as preferences } from '../../features/people/profiles/preferences.page.tsx'
export { page as notifications } from '../../features/planning/notification-settings/notification-settings.page.tsx'
