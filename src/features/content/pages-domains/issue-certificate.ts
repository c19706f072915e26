// Requests a certificate by ACME (RFC 8555) and proves over HTTP that the domain is served here. The answer to the
// challenge is a row, so that every node of the instance can send it.
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { openSecret, sealSecret } from '../../../kernel/secrets.ts'
import {
  deleteAcmeChallenge,
  findAcmeAccountKey,
  insertAcmeAccountIfMissing,
  insertAcmeChallenge,
} from './acme.store.ts'
import type { PagesDomain } from './pages-domain.ts'

/** The certificate authority has refused, and would refuse again. */
export class CertificateIssueError extends Error {}

type Uses = Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'>

const request_ms = 30_000
/** The maximum length of a common name (RFC 5280, appendix A.1). */
const common_name_max = 64

/**
 * Requests a certificate. Throws CertificateIssueError if the authority refuses, and another error if it cannot be reached.
 */
export async function issueCertificate(
  uses: Uses,
  { id, domain }: Pick<PagesDomain, 'id' | 'domain'>,
): Promise<{ certificate: string; key: string }> {
  const { db, clock, config } = uses
  if (!config.acme)
    throw new Error(`Cannot issue a certificate for ${domain}: BLOOMERY_ACME_DIRECTORY is not set.`)
  const { directory, email } = config.acme
  // The library and its dependencies are loaded on demand.
  const { axios, Client, crypto } = (await import('acme-client')).default
  axios.defaults.timeout = request_ms
  const client = new Client({
    directoryUrl: directory,
    accountKey: await getAccountKey(uses, directory),
    backoffAttempts: 20,
    backoffMin: 250,
    backoffMax: limits.pages.issue_ms / 20,
  })
  const name = domain.toLowerCase()
  const [key, request] = await crypto.createCsr(
    { altNames: [name], ...(name.length > common_name_max ? {} : { commonName: name }) },
    await crypto.createPrivateEcdsaKey(),
  )
  try {
    const certificate = await client.auto({
      csr: request,
      email,
      termsOfServiceAgreed: true,
      // Otherwise the library would connect to the domain itself, although only the authority needs to.
      skipChallengeVerification: true,
      challengePriority: ['http-01'],
      async challengeCreateFn(_authorization, { type, token }, answer) {
        if (type !== 'http-01')
          throw new CertificateIssueError(
            `The certificate authority offers no HTTP-01 challenge for ${domain}.`,
          )
        await insertAcmeChallenge(db, {
          token,
          domain_id: id,
          answer,
          created_at: timestamp(clock),
        })
      },
      challengeRemoveFn: (_authorization, { token }) => deleteAcmeChallenge(db, token),
    })
    return { certificate, key: key.toString() }
  } catch (error) {
    if (!(error instanceof Error) || isConnectionFailure(error)) throw error
    throw new CertificateIssueError(error.message, { cause: error })
  }
}

/** Whether the connection failed, as opposed to an error response. */
function isConnectionFailure(error: Error): boolean {
  return 'code' in error && typeof error.code === 'string'
}

/**
 * Returns the account key for an authority, and creates it if missing. If several nodes create one, the first
 * one counts.
 */
async function getAccountKey({ db, clock, secretKey }: Uses, directory: string): Promise<string> {
  const found = await findAcmeAccountKey(db, directory)
  if (found !== undefined) return openSecret(secretKey, found)
  const { crypto } = (await import('acme-client')).default
  const made = (await crypto.createPrivateEcdsaKey()).toString()
  const account = { directory, key: sealSecret(secretKey, made), created_at: timestamp(clock) }
  return openSecret(secretKey, await insertAcmeAccountIfMissing(db, account))
}
