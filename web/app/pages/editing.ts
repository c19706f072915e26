// Editors of files: in a repository, of the CI configuration, and with conflicts.
export { page as ciEditor } from '../../features/delivery/lint/ci-editor.page.tsx'
export { page as edit } from '../../features/repository/files/edit.page.tsx'
export { page as conflicts } from '../../features/review/merge-requests/conflicts.page.tsx'
