// Pages for reading code.
export { page as blame } from '../../features/repository/files/blame.page.tsx'
export { page as blob } from '../../features/repository/files/blob.page.tsx'
export { page as refNotFound } from '../../features/repository/files/ref-not-found.page.tsx'
export { page as home } from '../../features/repository/trees/home.page.tsx'
export { page as tree } from '../../features/repository/trees/tree.page.tsx'
