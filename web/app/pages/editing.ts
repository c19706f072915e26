// Where files are written: those of a repository, the configuration of its pipelines, and those in conflict.
export { page as ciEditor } from '../../features/delivery/lint/ci-editor.page.tsx'
export { page as edit } from '../../features/repository/files/edit.page.tsx'
export { page as conflicts } from '../../features/review/merge-requests/conflicts.page.tsx'
