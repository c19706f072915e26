import { formatCount } from './numbers.ts'

/** Words of pictures in changes. */
export const pictures = {
  waysToCompare: (path: string) => `Compare ${path}`,
  modes: { twoUp: '2-up', swipe: 'Swipe', onion: 'Onion skin' },
  sliders: { swipe: 'Divider between before and after', onion: 'Opacity of the picture after' },
  before: (path: string) => `${path} before the change`,
  after: (path: string) => `${path} after the change`,
  beforeWord: 'Before',
  afterWord: 'After',
  addedWord: 'Added',
  removedWord: 'Deleted',
  size: (width: number, height: number) => `${formatCount(width)} × ${formatCount(height)} pixels`,
  notShown: 'This picture cannot be shown.',
  notLoaded: 'The picture is not loaded yet.',
  comment: 'Comment on this picture',
  mark: 'Comment ',
  chosen: (x: number, y: number) => `Point of the comment: ${x}, ${y}. Arrow keys move it.`,
  moveHint: 'Arrow keys move the point.',
}
