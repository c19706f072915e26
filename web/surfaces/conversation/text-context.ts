import { mayInProject, type ProjectRecord } from '../../api/project.ts'

/** The project that names, uploads and the preview belong to; undefined where no project has the text. */
export type TextContext = {
  projectId: number | undefined
  path: string
  mayUpload: boolean
  /** Stores a file and returns Markdown that shows it, where files are no uploads of the project. Throws `Refusal`. */
  upload?: (file: File) => Promise<string>
}

/** A text of the project `id`; `project` is undefined until it is read. */
export const projectTextContext = (
  project: ProjectRecord | undefined,
  id: number,
): TextContext => ({
  projectId: id,
  path: project?.path_with_namespace ?? '',
  mayUpload: mayInProject(project, 'add_uploads'),
})
