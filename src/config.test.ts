import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const data = mkdtempSync(join(tmpdir(), 'bloomery-config-'))
afterAll(() => rmSync(data, { recursive: true }))

const read = (environment: Record<string, string> = {}, file?: string) => {
  rmSync(join(data, 'bloomery.json'), { force: true })
  if (file !== undefined) writeFileSync(join(data, 'bloomery.json'), file)
  return readConfig({ PATH: '/bin', HOME: '/root', BLOOMERY_DATA: data, ...environment })
}

describe('readConfig', () => {
  it('has the usual rate limits, others beside them, or none', () => {
    const limitsOf = (value: string) => read({ BLOOMERY_RATE_LIMITS: value }).rateLimits
    expect(limitsOf('off')).toEqual({})
    const given = limitsOf(
      '{"search": null, "sign_in": {"requests": 5, "period_s": 60}, "authenticated_api": {"requests": 9, "period_s": 1}}',
    )
    expect(given.sign_in).toEqual({ requests: 5, period_s: 60 })
    expect(given.authenticated_api).toEqual({ requests: 9, period_s: 1 })
    expect(given.search).toBeUndefined()
    expect(given.unauthenticated_api).toMatchObject({ requests: 6000 })
  })

  it('takes sizes in megabytes', () => {
    const { sizeLimits } = read({
      BLOOMERY_PUSH_SIZE_MAX: '5',
      BLOOMERY_REPOSITORY_SIZE_MAX: 'off',
    })
    expect(sizeLimits).toMatchObject({ push: 5 * 1024 ** 2, repository: Number.MAX_SAFE_INTEGER })
  })

  it('has a default for everything', () => {
    expect(read()).toEqual({
      host: '127.0.0.1',
      port: 8080,
      url: undefined,
      trustedProxies: [],
      data,
      databaseUrl: undefined,
      blobs: undefined,
      rootPassword: undefined,
      rootToken: undefined,
      tier: 'ultimate',
      sshPort: 2222,
      isSshPortGiven: false,
      storages: { default: { path: join(data, 'repositories'), weight: 100 } },
      storagesElsewhere: {},
      nodeUrl: undefined,
      runner: 'builtin',
      smtp: undefined,
      mailFrom: 'bloomery@localhost',
      confirmsEmails: false,
      remoteIncludes: 'off',
      diskFreeMin_bytes: 256 * 1024 ** 2,
      tls: undefined,
      artifactsExpireIn: '30 days',
      pages: {
        host: undefined,
        protocol: 'http:',
        publicPort: '',
        port: undefined,
        tlsPort: undefined,
        tlsCertificate: undefined,
        tlsKey: undefined,
      },
      dnsServers: [],
      acme: undefined,
      logLevel: 'info',
      searchPath: '/bin',
      rateLimits: {
        unauthenticated_api: { requests: 6000, period_s: 60, isUsual: true },
        project_repositories_archive: { requests: 300, period_s: 60, isUsual: true },
        search: { requests: 600, period_s: 60, isUsual: true },
        sign_in: { requests: 600, period_s: 60, isUsual: true },
        sign_up: { requests: 60, period_s: 3600, isUsual: true },
        oauth: { requests: 600, period_s: 60, isUsual: true },
        incident_management_notification: { requests: 3600, period_s: 3600 },
      },
      metricsFrom: [],
      metricsToken: undefined,
      gitMemory_bytes: Number.MAX_SAFE_INTEGER,
      workers: 1,
      schedules_max: 10,
      sizeLimits: {
        push: 10 * 1024 ** 3,
        repository: 100 * 1024 ** 3,
        lfs: 100 * 1024 ** 3,
        artifact: 100 * 1024 ** 2,
      },
    })
  })

  it('takes the environment before the file', () => {
    const file = '{"port": 1, "tier": "free", "url": "https://x.test/"}'
    expect(read({ BLOOMERY_PORT: '2' }, file)).toMatchObject({
      port: 2,
      tier: 'free',
      url: 'https://x.test',
    })
  })

  it('takes a mail server, whose password no error repeats', () => {
    const url = 'https://code.x.test:8443/git'
    const smtp = 'smtps://an%40x:pass%2Fword@mail.x.test'
    expect(read({ BLOOMERY_URL: url, BLOOMERY_SMTP_URL: smtp })).toMatchObject({
      smtp: {
        host: 'mail.x.test',
        port: 465,
        isSecure: true,
        user: 'an@x',
        password: 'pass/word',
      },
      mailFrom: 'bloomery@code.x.test',
      confirmsEmails: false,
    })
    const plain = { BLOOMERY_URL: url, BLOOMERY_SMTP_URL: 'smtp://[::1]:2525' }
    expect(read({ ...plain, BLOOMERY_CONFIRM_EMAILS: 'on' })).toMatchObject({
      smtp: { host: '::1', port: 2525, isSecure: false, user: undefined, password: undefined },
      confirmsEmails: true,
    })
    for (const wrong of ['smtp://u:sesame', 'mail://u:sesame@x', 'smtp://u:sesame%@x']) {
      expect(() => read({ BLOOMERY_URL: url, BLOOMERY_SMTP_URL: wrong })).toThrow(ConfigError)
      expect(() => read({ BLOOMERY_URL: url, BLOOMERY_SMTP_URL: wrong })).not.toThrow(/sesame/)
    }
  })

  it('trusts the proxies it is told of, as a text or a list', () => {
    const all = ['10.0.0.0/8', '127.0.0.1', '::1', 'fd00::/8']
    const environment = { BLOOMERY_TRUSTED_PROXIES: ' 10.0.0.0/8,127.0.0.1, ::1 ,fd00::/8,' }
    expect(read(environment).trustedProxies).toEqual(all)
    expect(read({}, JSON.stringify({ trusted_proxies: all })).trustedProxies).toEqual(all)
  })

  it.each(['proxy.test', '10.0.0.0/33', '::1/129', '10.0.0.0/8/8', '10.0.0.1/x', '/8', 'true'])(
    'trusts no proxy %j',
    (proxy) => {
      expect(() => read({ BLOOMERY_TRUSTED_PROXIES: `127.0.0.1,${proxy}` })).toThrow(
        new ConfigError(`trusted_proxies takes addresses and CIDR ranges, not ${proxy}.`),
      )
    },
  )

  it.each([
    [{ BLOOMERY_PAGES_HOST: 'p.test' }, 'http:', ''],
    [{ BLOOMERY_PAGES_HOST: 'p.test', BLOOMERY_PAGES_PORT: '80' }, 'http:', ''],
    [{ BLOOMERY_PAGES_HOST: 'p.test', BLOOMERY_PAGES_PORT: '8090' }, 'http:', '8090'],
    [{ BLOOMERY_PAGES_HOST: 'p.test', BLOOMERY_PAGES_TLS_PORT: '443' }, 'https:', ''],
    [{ BLOOMERY_PAGES_HOST: 'https://p.test', BLOOMERY_PAGES_PORT: '8090' }, 'https:', ''],
    [{ BLOOMERY_PAGES_HOST: 'https://p.test:444/' }, 'https:', '444'],
  ])('makes of %j addresses of sites', (environment, protocol, publicPort) => {
    expect(read(environment).pages).toMatchObject({ host: 'p.test', protocol, publicPort })
  })

  it('takes name servers with their ports', () => {
    const servers = '10.0.0.53,10.0.0.54:5353,::1,[::1]:53'
    expect(read({ BLOOMERY_DNS_SERVERS: servers }).dnsServers).toEqual(servers.split(','))
  })

  it('runs no runner for others', () => {
    expect(read({ BLOOMERY_HOST: '0.0.0.0' }).runner).toBe('off')
    expect(read({ BLOOMERY_HOST: '::1' }).runner).toBe('builtin')
  })

  it('places storages beside the data unless told otherwise', () => {
    const storages = '{"a": {"path": "one"}, "b": {"path": "/two", "weight": 0}}'
    expect(read({ BLOOMERY_STORAGES: storages }).storages).toEqual({
      a: { path: join(data, 'one'), weight: 100 },
      b: { path: '/two', weight: 0 },
    })
  })

  it('knows the storages on the disks of other servers', () => {
    const config = read({
      BLOOMERY_DATABASE_URL: 'postgres://db/bloomery',
      BLOOMERY_STORAGES:
        '{"a": {"path": null}, "b": {"path": "/two"}, "c": {"path": null, "weight": 0}}',
      BLOOMERY_NODE_URL: 'http://10.0.0.1:8080/',
    })
    expect(config.storages).toEqual({ b: { path: '/two', weight: 100 } })
    expect(config.storagesElsewhere).toEqual({ a: { weight: 100 }, c: { weight: 0 } })
    expect(config.nodeUrl).toBe('http://10.0.0.1:8080')
  })

  it.each([
    [{ BLOOMERY_COLOUR: 'red' }, undefined, 'Unknown setting BLOOMERY_COLOUR. Known: host, port,'],
    [{}, '{"colour": "red"}', 'Unknown setting colour. Known: host, port,'],
    [{}, '{"port":', 'bloomery.json is not valid JSON'],
    [{}, '[]', 'bloomery.json takes a JSON object.'],
    [
      { BLOOMERY_PORT: '99999' },
      undefined,
      'port takes a whole number from 0 to 65535, not 99999.',
    ],
    [{ BLOOMERY_TIER: 'gold' }, undefined, 'tier takes one of free, premium, ultimate, not gold.'],
    [{ BLOOMERY_PAGES_HOST: 'a/b' }, undefined, 'pages_host takes a domain such as'],
    [{ BLOOMERY_PAGES_HOST: '[::1]' }, undefined, 'pages_host takes a domain such as'],
    [
      { BLOOMERY_PAGES_HOST: 'x.test', BLOOMERY_URL: 'https://x.test' },
      undefined,
      'pages_host must not be the host of url',
    ],
    [{ BLOOMERY_PAGES_TLS_KEY: 'a.pem' }, undefined, 'pages_tls_certificate and pages_tls_key'],
    [{ BLOOMERY_DNS_SERVERS: 'dns.test' }, undefined, 'dns_servers takes addresses'],
    [{ BLOOMERY_ACME_DIRECTORY: 'x' }, undefined, 'acme_directory takes an http or https URL'],
    [{ BLOOMERY_ACME_EMAIL: 'x' }, undefined, 'acme_email takes an email address'],
    [{ BLOOMERY_BACKUP_TO: 'backups' }, undefined, 'backup_to takes the absolute path of a folder'],
    [
      { BLOOMERY_BACKUP_TO: '/a/b.tar' },
      undefined,
      'backup_to takes the absolute path of a folder',
    ],
    [{ BLOOMERY_BACKUP_TO: 's3://backups' }, undefined, 'backup_to needs AWS_ACCESS_KEY_ID'],
    [{ BLOOMERY_BACKUP_SCHEDULE: 'daily' }, undefined, 'backup_schedule takes a cron expression'],
    [{ BLOOMERY_BACKUP_KEEP: '0' }, undefined, 'backup_keep takes a whole number from 1, not 0.'],
    [{ BLOOMERY_URL: 'ftp://x' }, undefined, 'url takes an http or https URL'],
    [{ BLOOMERY_DATABASE_URL: 'mysql://x' }, undefined, 'database_url takes a postgres:// URL.'],
    [{ BLOOMERY_SMTP_URL: 'http://x' }, undefined, 'smtp_url takes smtp://user:password@host:587'],
    [
      { BLOOMERY_SMTP_URL: 'smtp://u:%ZZ@x', BLOOMERY_URL: 'http://x' },
      undefined,
      'smtp_url takes smtp://user:password@host:587',
    ],
    [{ BLOOMERY_SMTP_URL: 'smtp://x' }, undefined, 'smtp_url needs url:'],
    [{ BLOOMERY_CONFIRM_EMAILS: 'on' }, undefined, 'confirm_emails needs smtp_url'],
    [{ BLOOMERY_CONFIRM_EMAILS: 'yes' }, undefined, 'confirm_emails takes one of on, off, not yes'],
    [
      { BLOOMERY_MAIL_FROM: 'Me <me>' },
      undefined,
      'mail_from takes an email address, not Me <me>.',
    ],
    [{ BLOOMERY_STORAGES: '{}' }, undefined, 'storages takes at least one storage.'],
    [{ BLOOMERY_STORAGES: '{"a/b": {"path": "x"}}' }, undefined, 'storages.a/b takes'],
    [{ BLOOMERY_STORAGES: '{"a": {"path": "x", "size": 1}}' }, undefined, 'storages.a takes'],
    [{ BLOOMERY_STORAGES: '{"a": {"path": 1}}' }, undefined, 'storages.a takes'],
    [
      { BLOOMERY_STORAGES: '{"a": {"path": null}}' },
      undefined,
      'A storage on the disk of another server (path null) needs a database that servers share',
    ],
    [{ BLOOMERY_NODE_URL: 'http://a/b' }, undefined, 'node_url takes http://host:port'],
    [{ BLOOMERY_NODE_URL: 'ssh://a' }, undefined, 'node_url takes http://host:port'],
    [
      { BLOOMERY_RATE_LIMITS: '{"all": {"requests": 1, "period_s": 1}}' },
      undefined,
      'rate_limits takes one of',
    ],
    [
      { BLOOMERY_RATE_LIMITS: '{"authenticated_api": {"requests": 0, "period_s": 1}}' },
      undefined,
      'rate_limits.authenticated_api takes',
    ],
  ] as [Record<string, string>, string | undefined, string][])(
    'refuses %j with file %s',
    (environment, file, message) => {
      expect(() => read(environment, file)).toThrow(message)
      expect(() => read(environment, file)).toThrow(ConfigError)
    },
  )
})
