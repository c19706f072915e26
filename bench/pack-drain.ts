// Asks for a whole repository several times at once and throws the packs away, so that what is left
// is the server's own work.
// `pack-drain.ts <repository url> <authorization> <count> <object name> <agent>`
import { request } from 'node:http'

export type Drained = { bytes: number }

const [url = '', authorization = '', count = '1', oid = '', agent = ''] = process.argv.slice(2)

/** gitprotocol-v2: one fetch command that wants one object and has nothing. */
function fetchCommand(): string {
  const line = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text
  const head = `${line('command=fetch\n')}${line(`agent=${agent}\n`)}${line('object-format=sha1\n')}0001`
  return `${head}${line('ofs-delta\n')}${line(`want ${oid}\n`)}${line('done\n')}0000`
}

function drain(): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization,
      'content-type': 'application/x-git-upload-pack-request',
      'git-protocol': 'version=2',
    }
    const outgoing = request(`${url}/git-upload-pack`, { method: 'POST', headers }, (incoming) => {
      let bytes = 0
      if (incoming.statusCode !== 200) reject(new Error(`The answer is ${incoming.statusCode}.`))
      incoming.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      incoming.on('end', () => resolve(bytes))
      incoming.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(fetchCommand())
  })
}

const sizes = await Promise.all(Array.from({ length: Number(count) }, drain))
const result: Drained = { bytes: sizes.reduce((sum, size) => sum + size, 0) }
process.stdout.write(JSON.stringify(result))
