// Parses the S3 place of blobs or backups from a setting or a command. Pure; the client is in s3-client.ts.
import { limits } from '../kernel/limits.ts'

/** A bucket, or a folder of it, with the credentials of this server. Never log it. */
export type S3Place = {
  /** How operators name the place: `s3://bucket/folder`. */
  readonly name: string
  /**
   * The beginning of the URLs of objects. It includes the bucket if that is in the path, and ends with a
   * slash.
   */
  readonly url: string
  readonly bucket: string
  /** The prefix of the keys of objects: empty, or ending with a slash. */
  readonly prefix: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
  /** Whether new blobs are stored here. If not, only older blobs are read from here. */
  readonly storesNewBlobs: boolean
  /** Whether clients can reach the endpoint, so that downloads are sent there by presigned URLs. */
  readonly isOpenToClients: boolean
  /** The timeout of a call. */
  readonly call_ms: number
}

const form =
  's3://bucket/folder?endpoint=https://s3.example.org&region=eu-central-1, with timeout=10 for the seconds a call may take'
const formOfBlobs = `${form}, proxy_download=true where clients do not reach the endpoint, and new=disk to move blobs back to the disk`
const options = ['endpoint', 'region', 'timeout']
const optionsOfBlobs = [...options, 'proxy_download', 'new']

/** The use of the place in messages, and whether it accepts the options of blobs. */
type Use = { name: string; takesBlobOptions: boolean }

/**
 * Parses the setting of a place. Throws the Error that `problem` returns for a message about what the setting takes; the
 * message never contains credentials.
 */
export function readS3Place(
  given: string,
  environment: Record<string, string | undefined>,
  problem: (text: string) => Error,
  { name, takesBlobOptions }: Use = { name: 'blobs', takesBlobOptions: true },
): S3Place {
  const takes = takesBlobOptions ? formOfBlobs : form
  const parsed = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\/[\w./-]*)?(?:\?|$)/.test(given)
    ? URL.parse(given)
    : null
  if (!parsed) throw problem(`${name} takes ${takes}.`)
  const { hostname: bucket, pathname, searchParams } = parsed
  const known = takesBlobOptions ? optionsOfBlobs : options
  const unknown = [...searchParams.keys()].find((option) => !known.includes(option))
  if (unknown !== undefined) throw problem(`${name} does not know ${unknown}. It takes ${takes}.`)
  const accessKeyId = environment.AWS_ACCESS_KEY_ID
  const secretAccessKey = environment.AWS_SECRET_ACCESS_KEY
  if (!accessKeyId || !secretAccessKey) {
    throw problem(`${name} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.`)
  }
  const region = searchParams.get('region') || environment.AWS_REGION || 'us-east-1'
  const folder = pathname.split('/').filter((part) => part !== '')
  if (folder.includes('..') || folder.includes('.')) throw problem(`${name} takes ${takes}.`)
  const path = folder.join('/')
  return Object.freeze({
    name: path === '' ? `s3://${bucket}` : `s3://${bucket}/${path}`,
    url: urlOf({ endpoint: searchParams.get('endpoint'), bucket, region }, problem),
    bucket,
    prefix: path === '' ? '' : `${path}/`,
    region,
    accessKeyId,
    secretAccessKey,
    sessionToken: environment.AWS_SESSION_TOKEN || undefined,
    storesNewBlobs: choice(searchParams, 'new', ['s3', 'disk'], problem) === 's3',
    isOpenToClients: choice(searchParams, 'proxy_download', ['false', 'true'], problem) === 'false',
    call_ms: callTime_ms(searchParams.get('timeout'), problem),
  })
}

/** Returns the URL of the bucket. For Amazon the bucket is part of the host name, for most others of the path. */
function urlOf(
  { endpoint, bucket, region }: { endpoint: string | null; bucket: string; region: string },
  problem: (text: string) => Error,
): string {
  if (endpoint === null) return `https://${bucket}.s3.${region}.amazonaws.com/`
  const parsed = URL.parse(endpoint)
  const isPlain = parsed?.pathname === '/' && parsed.search === '' && parsed.username === ''
  if (!parsed || !/^https?:$/.test(parsed.protocol) || !isPlain) {
    throw problem(
      'The endpoint of blobs takes an http or https address such as https://s3.example.org.',
    )
  }
  return `${parsed.origin}/${bucket}/`
}

function callTime_ms(given: string | null, problem: (text: string) => Error): number {
  if (given === null) return limits.s3.call_ms
  const seconds = Number(given)
  if (seconds >= 0.1 && seconds <= 600) return seconds * 1000
  throw problem('timeout of blobs takes seconds from 0.1 to 600.')
}

/** Reads an option of the setting; the first of `allowed` is the default. */
function choice(
  given: URLSearchParams,
  name: string,
  allowed: readonly [string, string],
  problem: (text: string) => Error,
): string {
  const value = given.get(name) ?? allowed[0]
  if (allowed.includes(value)) return value
  throw problem(`${name} of blobs takes ${allowed.join(' or ')}.`)
}
