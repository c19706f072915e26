// The settings of the server for administrators, by their environment names and without secrets.
import { type Static, Type } from 'typebox'
import type { Config, SettingName } from '../../../config.ts'
import { namedObject, nullableText } from '../../../http/schema.ts'

export const ConfigurationJson = Type.Array(
  namedObject('ConfigurationEntry', {
    name: Type.String({ description: 'As in `bloomery.json`.' }),
    environment_name: Type.String(),
    value: nullableText,
    secret: Type.Boolean({ description: 'Whether the value is set and not shown.' }),
  }),
)

/** Marks a secret setting that is set. */
const secret = Symbol('secret')
type Value = string | number | undefined | typeof secret

const megabytes = (bytes: number) => {
  const whole = bytes / 1024 / 1024
  return bytes === Number.MAX_SAFE_INTEGER ? undefined : `${whole} MB`
}
const list = (values: readonly string[]) => values.join(', ') || undefined
const hidden = (value: string | undefined) => (value === undefined ? undefined : secret)

/** The effective value of each setting; undefined where it is unset or has no limit. */
const values: Readonly<Record<SettingName, (config: Config) => Value>> = {
  host: ({ host }) => host,
  port: ({ port }) => port,
  url: ({ url }) => url,
  trusted_proxies: ({ trustedProxies }) => list(trustedProxies),
  data: ({ data }) => data,
  database_url: ({ databaseUrl }) => hidden(databaseUrl),
  blobs: ({ blobs }) => blobs?.name,
  backup_to: ({ backups }) => backups?.s3?.name ?? backups?.to,
  backup_schedule: ({ backups }) => backups?.schedule,
  backup_keep: ({ backups }) => backups?.keep,
  root_password: ({ rootPassword }) => hidden(rootPassword),
  root_token: ({ rootToken }) => hidden(rootToken),
  tier: ({ tier }) => tier,
  ssh_port: ({ sshPort }) => sshPort,
  storages: ({ storages, storagesElsewhere }) =>
    list([
      ...Object.entries(storages).map(([name, { path, weight }]) => `${name}: ${path} (${weight})`),
      ...Object.entries(storagesElsewhere).map(
        ([name, { weight }]) => `${name}: on another server (${weight})`,
      ),
    ]),
  node_url: ({ nodeUrl }) => nodeUrl,
  runner: ({ runner }) => runner,
  // The URL contains a password, so only host and port are shown.
  smtp_url: ({ smtp }) => smtp && `${smtp.host}:${smtp.port}`,
  mail_from: ({ mailFrom }) => mailFrom,
  confirm_emails: ({ confirmsEmails }) => (confirmsEmails ? 'on' : 'off'),
  log_level: ({ logLevel }) => logLevel,
  rate_limits: ({ rateLimits }) =>
    list(
      Object.entries(rateLimits).map(
        ([name, { requests, period_s }]) => `${name}: ${requests} in ${period_s} s`,
      ),
    ),
  metrics_from: ({ metricsFrom }) => list(metricsFrom),
  metrics_token: ({ metricsToken }) => hidden(metricsToken),
  git_memory_max: ({ gitMemory_bytes }) => megabytes(gitMemory_bytes),
  workers: ({ workers }) => workers,
  pipeline_schedules_max: ({ schedules_max }) => schedules_max,
  push_size_max: ({ sizeLimits }) => megabytes(sizeLimits.push),
  repository_size_max: ({ sizeLimits }) => megabytes(sizeLimits.repository),
  lfs_object_size_max: ({ sizeLimits }) => megabytes(sizeLimits.lfs),
  artifact_size_max: ({ sizeLimits }) => megabytes(sizeLimits.artifact),
  disk_free_min: ({ diskFreeMin_bytes }) => megabytes(diskFreeMin_bytes),
  tls_cert: ({ tls }) => tls?.cert,
  tls_key: ({ tls }) => tls?.key,
  tls_port: ({ tls }) => tls?.port,
  artifacts_expire_in: ({ artifactsExpireIn }) => artifactsExpireIn,
  ci_remote_includes: ({ remoteIncludes }) => remoteIncludes,
  pages_host: ({ pages }) => pages.host,
  pages_port: ({ pages }) => pages.port,
  pages_tls_port: ({ pages }) => pages.tlsPort,
  pages_tls_certificate: ({ pages }) => pages.tlsCertificate,
  pages_tls_key: ({ pages }) => pages.tlsKey,
  dns_servers: ({ dnsServers }) => list(dnsServers),
  acme_directory: ({ acme }) => acme?.directory,
  acme_email: ({ acme }) => acme?.email,
}

/** Returns every setting of docs/operating/install.md, "Settings", with its effective value as text. */
export function describeConfiguration(config: Config): Static<typeof ConfigurationJson> {
  return Object.entries(values).map(([name, read]) => {
    const value = read(config)
    return {
      name,
      environment_name: `BLOOMERY_${name.toUpperCase()}`,
      value: value === undefined || value === secret ? null : String(value),
      secret: value === secret,
    }
  })
}
