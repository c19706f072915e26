// Help and documentation, which readers open one after another.
export { page as documentation } from '../../features/basics/help/documentation.page.tsx'
export { page as home } from '../../features/basics/help/help.page.tsx'
