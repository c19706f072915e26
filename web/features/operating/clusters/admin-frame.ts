// The frame of administration pages, loaded with the clusters of the instance only.
export { AdminPage } from '../../../ui/page/admin.tsx'
