// The same server over TLS on another port, for installations without a proxy (docs/operating/tls.md).
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { limits } from '../kernel/limits.ts'
import { closeServer } from './close-server.ts'
import { answerClientError } from './server.ts'

export type CertificateFiles = { cert: string; key: string }

/** Why a certificate cannot be used, with the file. */
export class CertificateError extends Error {}

export class TlsListener {
  readonly #server: Server
  readonly #files: CertificateFiles

  /** Throws CertificateError where the files hold no certificate with its key. */
  constructor(app: FastifyInstance, files: CertificateFiles) {
    this.#files = files
    try {
      this.#server = createServer({
        ...readPair(files),
        minVersion: 'TLSv1.2',
        maxHeaderSize: limits.header_bytes,
        headersTimeout: 30_000,
        requestTimeout: 0,
        keepAliveTimeout: 75_000,
      })
    } catch (error) {
      throw problemOf(files, error)
    }
    this.#server.setTimeout(limits.git_transfer_idle_ms)
    this.#server.maxConnections = limits.connections_max
    this.#server.on('request', (request, response) => app.routing(request, response))
    this.#server.on('clientError', answerClientError)
  }

  /** Answers the port. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => resolve((this.#server.address() as AddressInfo).port))
    })
  }

  /** Takes up what the files hold now, for connections from now on. Throws CertificateError, and keeps what there was. */
  reload(): void {
    try {
      this.#server.setSecureContext({ ...readPair(this.#files), minVersion: 'TLSv1.2' })
    } catch (error) {
      throw problemOf(this.#files, error)
    }
  }

  /** Has each connection end with its next answer. */
  endConnections(): void {
    this.#server.maxRequestsPerSocket = 1
  }

  close(): Promise<void> {
    return closeServer(this.#server)
  }
}

function readPair({ cert, key }: CertificateFiles): { cert: Buffer; key: Buffer } {
  return { cert: readFileSync(cert), key: readFileSync(key) }
}

function problemOf({ cert, key }: CertificateFiles, error: unknown): CertificateError {
  return new CertificateError(
    `${cert} and ${key} are no certificate with its key: ${(error as Error).message}`,
  )
}
