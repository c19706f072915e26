import { formatCount } from './numbers.ts'

/** Words of pictures in changes. */
export const pictures = {
  waysToCompare: (path: string) => `Compare ${path}`,
  modes: { twoUp: '2-up', swipe: 'Swipe', onion: 'Onion skin' },
  sliders: { swipe: 'Divider between before and after', onion: 'Opacity of the new image' },
  before: (path: string) => `${path} before the change`,
  after: (path: string) => `${path} after the change`,
  beforeWord: 'Before',
  afterWord: 'After',
  addedWord: 'Added',
  removedWord: 'Deleted',
  size: (width: number, height: number) => `${formatCount(width)} × ${formatCount(height)} pixels`,
  notShown: 'This image cannot be displayed.',
  notLoaded: 'The image has not loaded yet.',
  comment: 'Comment on this image',
  mark: 'Comment ',
  chosen: (x: number, y: number) => `Comment position: ${x}, ${y}. Use the arrow keys to move it.`,
  moveHint: 'Use the arrow keys to move the point.',
}
