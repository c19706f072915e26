/** Whether a relative path stays within the folder that it is relative to. Looks at no file. */
export function isPathInside(path: string): boolean {
  return !path.startsWith('/') && !path.split('/').includes('..')
}
