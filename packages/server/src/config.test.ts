import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { certificate } from '../test/certificate.ts'
import { type Config, ConfigError, describeConfig, helpText, loadConfig } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'cloudoc-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const data = join(folder, 'data')
const file = join(folder, 'a-file')
writeFileSync(file, 'not a folder, not a key')
const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
writeFileSync(cert, certificate.cert)
writeFileSync(key, certificate.key)

type Env = Record<string, string>

const load = (argv: string[], env: Env = {}): Config => loadConfig(argv, { CLOUDOC_DATA: data, ...env })

describe('configuration', () => {
  test('has defaults that serve one machine', () => {
    const { rereadTls, ...found } = load([])
    expect(rereadTls()).toBeUndefined()
    expect(found).toEqual({
      port: 8080,
      host: '127.0.0.1',
      dataDir: data,
      databaseUrl: undefined,
      blobDir: join(data, 'blobs'),
      s3: undefined,
      backupDir: join(data, 'backups'),
      publicUrl: undefined,
      tls: undefined,
      databaseConnections: 12,
      stopDelay: 0,
      stopTransfers: 1,
      trustedProxies: [],
      scrubDays: 30,
      clamd: undefined,
      soffice: undefined,
      fonts: undefined,
      metricsToken: undefined,
      adminPassword: undefined,
      demo: false,
      servers: 1,
      logLevel: 'info',
      accessLog: false,
      help: false,
      version: false,
    })
  })

  const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }
  const bucket = {
    bucketUrl: 'https://s3.example.com/files',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    region: 'us-east-1',
    directUrl: undefined,
  }
  const accepted: [string[], Env, Partial<Config>][] = [
    [['--port', '0'], { PORT: '99' }, { port: 0 }],
    [['--port=81'], {}, { port: 81 }],
    [[], { PORT: '82' }, { port: 82 }],
    [[], { PORT: '' }, { port: 8080 }],
    [[], { HOST: '::1' }, { host: '::1' }],
    [[], { STOP_DELAY: '6', STOP_TRANSFERS: '300' }, { stopDelay: 6, stopTransfers: 300 }],
    [['--database-connections', '40'], {}, { databaseConnections: 40 }],
    [['--push-port', '8016'], {}, { pushPort: 8016 }],
    [['--im-port', '333'], { IM_PUSH_PORT: '444' }, { imPort: 333, imPushPort: 444 }],
    [['--host', '0.0.0.0'], {}, { host: '0.0.0.0' }],
    [['--backup-dir', '/srv/backups'], {}, { backupDir: '/srv/backups' }],
    [['--access-log'], {}, { accessLog: true }],
    [[], { ACCESS_LOG: 'true' }, { accessLog: true }],
    [
      ['--data', join(folder, 'other')],
      {},
      {
        dataDir: join(folder, 'other'),
        blobDir: join(folder, 'other/blobs'),
        backupDir: join(folder, 'other/backups'),
      },
    ],
    [[], { DATABASE_URL: 'postgres://u:p=1@db/x' }, { databaseUrl: 'postgres://u:p=1@db/x' }],
    [['--database-url=postgresql:///x?host=/run'], {}, { databaseUrl: 'postgresql:///x?host=/run' }],
    [[], { CLAMD_URL: 'tcp://scan.example.com' }, { clamd: { host: 'scan.example.com', port: 3310 } }],
    [['--clamd-url', 'tcp://[::1]:99'], {}, { clamd: { host: '::1', port: 99 } }],
    [[], { CLAMD_URL: 'unix:/run/clamd.ctl' }, { clamd: { path: '/run/clamd.ctl' } }],
    [[], { BLOB_URL: `file://${folder}/b%20b` }, { blobDir: join(folder, 'b b') }],
    [['--blob-url', 's3:https://s3.example.com/files/'], keys, { blobDir: '', s3: bucket }],
    [
      [],
      {
        ...keys,
        BLOB_URL: 's3:http://files.s3.local:9000',
        S3_REGION: 'cn',
        S3_DIRECT_URL: 'https://cdn.example.com/f',
      },
      {
        s3: {
          ...bucket,
          bucketUrl: 'http://files.s3.local:9000',
          region: 'cn',
          directUrl: 'https://cdn.example.com/f',
        },
      },
    ],
    [['--public-url', 'https://drive.example.com:8443/'], {}, { publicUrl: 'https://drive.example.com:8443' }],
    [[], { TRUSTED_PROXIES: '10.0.0.0/8, ::1 ,192.0.2.7' }, { trustedProxies: ['10.0.0.0/8', '::1', '192.0.2.7'] }],
    [[], { FANOUT_URL: 'nats://u:secret@a:4222,nats://b' }, { fanoutUrl: 'nats://u:secret@a:4222,nats://b' }],
    [[], { METRICS_TOKEN: 't' }, { metricsToken: 't' }],
    [['--admin-password', 'Passw0rd!'], {}, { adminPassword: 'Passw0rd!' }],
    [['--demo'], {}, { demo: true }],
    [[], { CLOUDOC_DEMO: '1' }, { demo: true }],
    [['--demo=false'], { CLOUDOC_DEMO: '1' }, { demo: false }],
    [['--help'], { CLOUDOC_DATA: file }, { help: true }],
  ]
  test.each(accepted)('%j with %j is understood', (argv, env, expected) => {
    expect(load(argv, env)).toMatchObject(expected)
  })

  const refused: [string[], Env, string][] = [
    [['--log-level', 'loud'], {}, '--log-level: loud is not a level of the log'],
    [['--colour'], {}, 'unknown flag --colour: see --help'],
    [['demo'], {}, 'unknown argument demo: see --help'],
    [['--port'], {}, '--port: a value is missing'],
    [['--port='], {}, '--port: a value is missing'],
    [['--host', '--demo'], {}, '--host: a value is missing'],
    [['--port', '65536'], {}, '--port: 65536 is not a port (0 to 65535)'],
    [[], { PORT: '80 80' }, 'PORT: 80 80 is not a port (0 to 65535)'],
    [[], { PORT: '-1' }, 'PORT: -1 is not a port (0 to 65535)'],
    [[], { HOST: 'http://x' }, 'HOST: http://x is not an address or host name'],
    [[], { CLOUDOC_DATA: file }, `CLOUDOC_DATA: the folder ${file} cannot be written to (ENOTDIR)`],
    [['--data', '/proc/cloudoc'], {}, '--data: the folder /proc/cloudoc cannot be written to (ENOENT)'],
    [[], { DATABASE_URL: 'mysql://u:secret@db/x' }, 'DATABASE_URL: not a postgres:// address'],
    [[], { ...keys, BLOB_URL: 's3://bucket' }, 'BLOB_URL: //bucket is not the address of a bucket'],
    [
      [],
      { ...keys, BLOB_URL: 's3:https://host/bucket/folder' },
      'BLOB_URL: https://host/bucket/folder is not the address',
    ],
    [
      [],
      { ...keys, BLOB_URL: 's3:https://host/bucket', S3_DIRECT_URL: 'cdn' },
      'S3_DIRECT_URL: cdn is not the address',
    ],
    [[], { BLOB_URL: 's3:https://host/bucket' }, 'S3_ACCESS_KEY_ID: a value is missing'],
    [[], { BLOB_URL: 's3:https://host/bucket', S3_ACCESS_KEY_ID: 'id' }, 'S3_SECRET_ACCESS_KEY: a value is missing'],
    [[], { BLOB_URL: '/srv/blobs' }, 'BLOB_URL: /srv/blobs is neither a file: nor an s3: address'],
    [['--blob-url', `file://${file}/x`], {}, `--blob-url: the folder ${file}/x cannot be written to (ENOTDIR)`],
    [[], { PUBLIC_URL: 'drive.example.com' }, 'PUBLIC_URL: drive.example.com is not an http:// or https:// address'],
    [[], { PUBLIC_URL: 'https://x/app' }, 'PUBLIC_URL: https://x/app must end after the host and port'],
    [[], { STOP_DELAY: 'soon' }, 'STOP_DELAY: soon is not a number of seconds'],
    [[], { DATABASE_CONNECTIONS: '2' }, 'DATABASE_CONNECTIONS: 2 is not a number of connections'],
    [[], { TLS_CERT: cert }, 'TLS_CERT and TLS_KEY must be given together'],
    [[], { TLS_CERT: `${cert}x`, TLS_KEY: key }, `TLS_CERT: ${cert}x cannot be read (ENOENT)`],
    [[], { TLS_CERT: file, TLS_KEY: key }, 'TLS_CERT and TLS_KEY cannot be used together'],
    [[], { FANOUT_URL: 'http://secret@a' }, 'FANOUT_URL: not a nats:// address'],
    [[], { TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES: 10.0.0.0/33 is neither an address nor a CIDR range'],
    [[], { TRUSTED_PROXIES: 'proxy' }, 'TRUSTED_PROXIES: proxy is neither an address nor a CIDR range'],
    [[], { SCRUB_DAYS: 'monthly' }, 'SCRUB_DAYS: monthly is not a number of days (0 to 9999)'],
    [[], { CLOUDOC_DEMO: 'maybe' }, 'CLOUDOC_DEMO: maybe is neither true nor false'],
  ]
  test.each(refused)('%j with %j is refused in one line', (argv, env, message) => {
    const attempt = (): Config => load(argv, env)
    expect(attempt).toThrow(ConfigError)
    expect(attempt).toThrow(message)
    expect(attempt).not.toThrow('\n')
    expect(attempt).not.toThrow('secret')
  })

  test('takes a certificate with its key', () => {
    expect(load(['--tls-cert', cert, '--tls-key', key]).tls?.cert.toString()).toContain('BEGIN CERTIFICATE')
  })

  test('is in the table of docs/operation.md as --help prints it', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/operation.md'), 'utf8')
    const code = (text: string): string => (text === '' ? '' : `\`${text}\``)
    const rows = describeConfig().map(
      (setting) => `| ${code(setting.flag)} | ${code(setting.variable)} | ${setting.default} | ${setting.meaning} |`,
    )
    expect(page.split('\n').filter((line) => line.startsWith('| `--'))).toEqual(rows)
  })

  test('is described whole by --help: every setting but help and version has both a flag and a variable', () => {
    for (const { flag, variable, meaning } of describeConfig()) {
      expect(helpText()).toContain(flag)
      expect(helpText()).toContain(meaning)
      expect(variable === '').toBe(flag === '--help' || flag === '--version')
    }
  })
})
