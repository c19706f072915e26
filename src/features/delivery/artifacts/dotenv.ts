// The report in which a job sets variables for later jobs (docs/api/ci.md, "Artifacts").
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Tier } from '../../../config.ts'
import { badRequest, invalid } from '../../../kernel/errors.ts'

const dotenv_bytes_max = 5 * 1024
const variables_max = { free: 50, premium: 100, ultimate: 150 } as const

/** Returns the variables of a gzipped file. Throws 400 if it is too large or contains anything else. */
export async function readDotenvReport(
  file: Readable,
  tier: Tier,
): Promise<{ key: string; value: string }[]> {
  const text = await unpack(file)
  const variables = new Map<string, string>()
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  for (const line of lines) {
    const equals = line.indexOf('=')
    const key = equals < 0 ? '' : line.slice(0, equals).trim()
    if (!/^[A-Za-z0-9_]+$/.test(key)) throw invalid('Invalid Format')
    variables.set(key, line.slice(equals + 1).trim())
  }
  if (variables.size > variables_max[tier]) {
    throw invalid(`Dotenv files cannot have more than ${variables_max[tier]} variables`)
  }
  return [...variables].map(([key, value]) => ({ key, value }))
}

async function unpack(file: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  // The pipeline destroys the file stream when the reader stops early.
  const stream = pipeline(file, createGunzip(), () => {})
  try {
    for await (const chunk of stream) {
      size += (chunk as Buffer).length
      if (size > dotenv_bytes_max) {
        throw invalid(`Dotenv Artifact Too Big. Maximum Allowable Size: ${dotenv_bytes_max}`)
      }
      chunks.push(chunk as Buffer)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw badRequest('Invalid Format')
    throw error
  }
  return Buffer.concat(chunks).toString('utf8')
}
