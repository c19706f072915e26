// Certificates made by the real program, in a folder that goes with the run.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type MadeCertificate = { certificate: string; key: string }

let folder: string | undefined
let made = 0

function findFolder(): string {
  folder ??= mkdtempSync(join(tmpdir(), 'bloomery-openssl-'))
  return folder
}

export function openssl(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('openssl', args, { cwd: findFolder() })
  if (status !== 0) throw new Error(`openssl ${args.join(' ')}: ${stderr}`)
  return stdout.toString()
}

function keep(text: string): string {
  const path = join(findFolder(), `file-${++made}`)
  writeFileSync(path, text)
  return path
}

const kinds = {
  rsa: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  p256: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  p384: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  ed25519: ['-algorithm', 'ED25519'],
} as const
export type KeyKind = keyof typeof kinds

/** A certificate with a key of its own; its own issuer, or of the one given. */
export function newCertificate({
  subject = '/O=Example, Inc./CN=name',
  kind = 'p256',
  extensions = '',
  days = 400,
  more = [],
  issuer,
}: {
  subject?: string
  kind?: KeyKind
  /** Lines of OpenSSL's configuration. */
  extensions?: string
  days?: number
  more?: readonly string[]
  issuer?: MadeCertificate
} = {}): MadeCertificate {
  const key = openssl(['genpkey', ...kinds[kind]])
  const names = '[req]\ndistinguished_name=name\n[name]\n'
  const config = keep(`${names}[extensions]\n${extensions}\n`)
  const request = ['req', '-new', '-utf8', '-subj', subject, '-key', keep(key), '-config', config]
  const extended = extensions === '' ? [] : ['-extensions', 'extensions']
  if (!issuer) {
    const args = [...request, '-x509', '-days', String(days), ...extended, ...more]
    return { certificate: openssl(args), key }
  }
  const certificate = openssl([
    ...['x509', '-req', '-in', keep(openssl(request)), '-days', String(days)],
    ...['-CA', keep(issuer.certificate), '-CAkey', keep(issuer.key), '-set_serial', String(++made)],
    ...(extensions === '' ? [] : ['-extfile', config, ...extended]),
  ])
  return { certificate, key }
}

/** What the program prints of a certificate. */
export function printed(certificate: string): { text: string; subject: string } {
  const path = keep(certificate)
  return {
    text: openssl(['x509', '-in', path, '-noout', '-text']),
    subject: openssl(['x509', '-in', path, '-noout', '-subject', '-nameopt', 'compat'])
      .trim()
      .slice('subject='.length),
  }
}

/** A certificate for a request in DER, with the names the request has. */
export function signRequest(
  request: Buffer,
  { issuer, days }: { issuer: MadeCertificate; days: number },
): string {
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${request.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE REQUEST-----\n`
  return openssl([
    ...['x509', '-req', '-in', keep(pem), '-days', String(days), '-copy_extensions', 'copy'],
    ...['-CA', keep(issuer.certificate), '-CAkey', keep(issuer.key), '-set_serial', String(++made)],
  ])
}
