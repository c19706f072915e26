import { randomUUID } from 'node:crypto'

export type FormFile = { filename: string; content: Buffer; type?: string }

/** A multipart form as a client sends it: its body, and the header that says what it is. */
export function multipart(fields: Record<string, string | FormFile>): {
  body: Buffer
  options: { headers: Record<string, string> }
} {
  const boundary = `form-${randomUUID()}`
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const isText = typeof value === 'string'
    const file = isText
      ? ''
      : `; filename="${value.filename}"\r\ncontent-type: ${value.type ?? 'application/octet-stream'}`
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n`
    return [Buffer.from(head), isText ? Buffer.from(value) : value.content, Buffer.from('\r\n')]
  })
  return {
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    options: { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } },
  }
}

/** A picture of one pixel, with as many bytes after it as are asked for. */
export function png(extra_bytes = 0): Buffer {
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  return Buffer.concat([Buffer.from(pixel, 'base64'), Buffer.alloc(extra_bytes)])
}
