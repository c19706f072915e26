/** Whether a relative path stays within its folder. Does not access the disk. */
export function isPathInside(path: string): boolean {
  return !path.startsWith('/') && !path.split('/').includes('..')
}
