// The frame of administration, as a piece that comes with the audit events of the instance alone.
export { AdminPage } from '../../../ui/page/admin.tsx'
