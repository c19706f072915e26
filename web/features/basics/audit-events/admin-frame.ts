// The frame of administration pages, loaded with the audit events of the instance only.
export { AdminPage } from '../../../ui/page/admin.tsx'
