/** The project that names, uploads and the preview belong to. */
export type Within = { projectId: number; path: string; mayUpload: boolean }
