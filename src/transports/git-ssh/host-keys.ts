// The keys by which clients recognise the server: made once, kept in the data folder.
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ssh2 from 'ssh2'

type KeyPair = { private: string; public: string }

/** In the order in which they are offered. */
const kinds: Record<string, () => Promise<KeyPair>> = {
  ed25519: () => generated((done) => ssh2.utils.generateKeyPair('ed25519', {}, done)),
  ecdsa: () => generated((done) => ssh2.utils.generateKeyPair('ecdsa', { bits: 256 }, done)),
  rsa: () => generated((done) => ssh2.utils.generateKeyPair('rsa', { bits: 3072 }, done)),
}

/** The server's private keys; those that are missing are made first, with mode 0600. */
export async function readHostKeys(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return Promise.all(
    Object.entries(kinds).map(([kind, generate]) =>
      readKey(join(folder, `ssh_host_${kind}_key`), generate),
    ),
  )
}

async function readKey(path: string, generate: () => Promise<KeyPair>): Promise<string> {
  try {
    const text = await readFile(path, 'utf8')
    await chmod(path, 0o600)
    return text
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const pair = await generate()
  await writeFile(`${path}.pub`, `${pair.public}\n`, { mode: 0o644 })
  // Renamed when it is whole: half a key would keep the server from starting for good.
  await writeFile(`${path}.new`, pair.private, { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
  return pair.private
}

function generated(
  start: (done: (error: Error | null, pair: KeyPair) => void) => void,
): Promise<KeyPair> {
  return new Promise((resolve, reject) => {
    start((error, pair) => (error ? reject(error) : resolve(pair)))
  })
}
