// Accounts, for administrators.
export { page as account } from '../../features/people/users/admin-user.page.tsx'
export { page as accountList } from '../../features/people/users/user-list.page.tsx'
