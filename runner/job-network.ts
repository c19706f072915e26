// The network of a job in its sandbox. It reaches the server, and through an HTTP proxy everything that the runner
// reaches except the runner's own machine.
import { type LookupAddress, lookup } from 'node:dns'
import { createServer, request as httpRequest, type Server } from 'node:http'
import {
  BlockList,
  connect,
  isIP,
  type Server as Listener,
  type LookupFunction,
  type Socket,
} from 'node:net'
import { networkInterfaces } from 'node:os'

/** The port of the proxy inside the sandbox. */
const proxyPort = 61_080
/** Lower ports are reserved for the root user. */
const port_min = 1024
/** The maximum number of open connections of a job. */
const connections_max = 512

type Place = { host: string; port: number }

/** An address that jobs may not reach; the message is for readers of the job's log. */
class ForbiddenAddress extends Error {
  constructor(host: string) {
    super(`${host} is an address of the machine that the runner is on, which jobs may not reach.`)
  }
}

export class JobNetwork {
  /** The ports inside of the sandbox that are forwarded to the outside. */
  readonly ports: number[]
  /** The environment variables that configure the proxy for programs. */
  readonly environment: Record<string, string>
  readonly #proxy: Server
  /** The server, if it is reached through a port of the sandbox. */
  readonly #local: Place | undefined
  readonly #listeners = new Set<Listener>()
  readonly #sockets = new Set<Socket>()

  /** `urls` are the URLs of the server. Jobs may reach these even on the runner's own machine. */
  constructor(urls: readonly string[]) {
    const servers = urls.map((url) => placeOf(new URL(url)))
    this.#local = servers.find(({ host, port }) => isLoopback(host) && port >= port_min)
    this.ports = [...(this.#local ? [this.#local.port] : []), proxyPort]
    this.environment = proxySettings()
    this.#proxy = createProxy(servers)
  }

  /** Handles the connections to a port of the sandbox. */
  accept(port: number, listener: Listener): void {
    this.#listeners.add(listener)
    listener.on('error', () => {})
    listener.on('connection', (socket) => {
      if (this.#sockets.size >= connections_max) {
        socket.destroy()
        return
      }
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
      if (port === this.#local?.port) join(socket, connect(this.#local))
      else this.#proxy.emit('connection', socket)
    })
  }

  /** Closes all connections that the script has left open. */
  close(): void {
    for (const listener of this.#listeners) listener.close()
    for (const socket of this.#sockets) socket.destroy()
    this.#listeners.clear()
  }
}

function proxySettings(): Record<string, string> {
  const proxy = `http://127.0.0.1:${proxyPort}`
  const direct = 'localhost,127.0.0.1,::1'
  return {
    http_proxy: proxy,
    https_proxy: proxy,
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    no_proxy: direct,
    NO_PROXY: direct,
    NODE_USE_ENV_PROXY: '1',
  }
}

/** Creates an HTTP proxy (RFC 9110, sections 7.6 and 9.3.6) that does not listen: it gets its sockets from the caller. */
function createProxy(servers: readonly Place[]): Server {
  const proxy = createServer((request, response) => {
    const url = URL.parse(request.url ?? '')
    if (url?.protocol !== 'http:') {
      response
        .writeHead(400)
        .end('This is a proxy: it takes whole addresses that begin with http://.\n')
      return
    }
    const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = request.headers
    const place = placeOf(url)
    const fail = (error: Error) => {
      if (response.headersSent) response.destroy()
      else response.writeHead(statusOf(error)).end(`${error.message}\n`)
    }
    try {
      const path = `${url.pathname}${url.search}`
      const options = { ...destination(place, servers), method: request.method, path, headers }
      const onward = httpRequest(options, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
        answer.once('error', () => response.destroy())
      })
      onward.once('error', fail)
      response.once('close', () => onward.destroy())
      request.pipe(onward)
    } catch (error) {
      fail(error as Error)
    }
  })
  proxy.on('connect', (request, socket: Socket, head) => {
    const fail = (error: Error) => {
      socket.end(
        `HTTP/1.1 ${statusOf(error)} No connection\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${error.message}\n`,
      )
    }
    socket.on('error', () => {})
    const url = URL.parse(`http://${request.url}`)
    if (!url) {
      fail(new Error('A host and a port are missing.'))
      return
    }
    try {
      const onward = connect(destination(placeOf(url), servers))
      onward.once('error', fail)
      onward.once('connect', () => {
        onward.off('error', fail)
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        onward.write(head)
        join(socket, onward)
      })
    } catch (error) {
      fail(error as Error)
    }
  })
  // Large uploads have no timeout here, since the job has a timeout of its own.
  proxy.requestTimeout = 0
  proxy.on('clientError', (_error, socket) => socket.destroy())
  return proxy
}

function statusOf(error: Error): number {
  return error instanceof ForbiddenAddress ? 403 : 502
}

/** Returns where to connect. Throws `ForbiddenAddress` if the address is forbidden. */
function destination(
  place: Place,
  servers: readonly Place[],
): Place & { lookup?: LookupFunction; autoSelectFamily: boolean } {
  const { host, port } = place
  const isServer = servers.some((one) => one.host === host && one.port === port)
  if (isServer) return { ...place, autoSelectFamily: true }
  if (isIP(host) && isOfThisMachine(host)) throw new ForbiddenAddress(host)
  return { ...place, lookup: lookUpOthers, autoSelectFamily: true }
}

/**
 * Resolves a name and removes addresses of this machine. Runs when the connection is made, so that the name
 * cannot change later.
 */
const lookUpOthers: LookupFunction = (name, options, callback) => {
  lookup(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) return callback(error, [])
    const allowed = found.filter(({ address }) => !isOfThisMachine(address))
    const [first] = allowed
    if (!first) return callback(new ForbiddenAddress(name), [])
    if (options.all) return callback(null, allowed)
    callback(null, first.address, first.family)
  })
}

const local = new BlockList()
local.addSubnet('127.0.0.0', 8)
local.addSubnet('0.0.0.0', 8)
local.addAddress('::1', 'ipv6')
local.addAddress('::', 'ipv6')
// Link-local addresses: hosts of virtual machines serve metadata, such as credentials, there.
local.addSubnet('169.254.0.0', 16)
local.addSubnet('fe80::', 10, 'ipv6')

function isOfThisMachine(address: string): boolean {
  const own = new BlockList()
  for (const one of Object.values(networkInterfaces()).flat()) {
    if (one) own.addAddress(one.address, one.family === 'IPv6' ? 'ipv6' : 'ipv4')
  }
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  return local.check(address, family) || own.check(address, family)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

function placeOf({ hostname, port, protocol }: URL): Place {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return { host, port: Number(port || (protocol === 'https:' ? 443 : 80)) }
}

/** Forwards bytes between two sockets; both end together. */
function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy())
    from.once('close', () => to.destroy())
    from.pipe(to)
  }
}
