// Where files are written: those of a repository, and the configuration of its pipelines.
export { page as ciEditor } from '../../features/delivery/lint/ci-editor.page.tsx'
export { page as edit } from '../../features/repository/files/edit.page.tsx'
