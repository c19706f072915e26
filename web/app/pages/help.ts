// Help and the documentation, which readers go through one after another.
export { page as documentation } from '../../features/basics/help/documentation.page.tsx'
export { page as home } from '../../features/basics/help/help.page.tsx'
