import type { UploadedFile } from '../../../http/raw-parameters.ts'

/**
 * The accepted image types, recognized by their first bytes. The name and type that the client sends are
 * ignored.
 */
const kinds: readonly { type: string; extensions: readonly string[]; begins: readonly string[] }[] =
  [
    { type: 'image/png', extensions: ['png'], begins: ['\x89PNG\r\n\x1a\n'] },
    { type: 'image/jpeg', extensions: ['jpg', 'jpeg'], begins: ['\xff\xd8\xff'] },
    { type: 'image/gif', extensions: ['gif'], begins: ['GIF87a', 'GIF89a'] },
    { type: 'image/bmp', extensions: ['bmp'], begins: ['BM'] },
    { type: 'image/tiff', extensions: ['tiff', 'tif'], begins: ['II*\0', 'MM\0*'] },
    { type: 'image/vnd.microsoft.icon', extensions: ['ico'], begins: ['\0\0\x01\0'] },
  ]

export const allowedImageTypes = kinds.map(({ type }) => type)

/** Returns the media type of an image by its bytes; undefined if it is not an image. */
export function detectImageType(content: Buffer): string | undefined {
  const head = content.subarray(0, 16).toString('latin1')
  return kinds.find(({ begins }) => begins.some((text) => head.startsWith(text)))?.type
}

const name_characters_max = 100

/** Returns the name of an image for its URL: its file name without unsafe characters, with the extension of its type. */
export function safeImageFileName({ filename }: UploadedFile, type: string): string {
  const base = filename.split(/[\\/]/).at(-1) ?? ''
  const plain = base.replace(/[^A-Za-z0-9._-]/g, '_').replace(/^[.-]+/, '')
  const extensions = kinds.find((kind) => kind.type === type)?.extensions ?? []
  const isFitting = extensions.some((extension) => plain.toLowerCase().endsWith(`.${extension}`))
  const stem = isFitting ? plain.slice(0, plain.lastIndexOf('.')) : plain
  const end = isFitting ? plain.slice(plain.lastIndexOf('.')) : `.${extensions[0]}`
  return `${stem.slice(0, name_characters_max - end.length) || 'avatar'}${end}`
}
