/*
 * All operator settings, from flags or environment variables; flags win. No other module reads process.env. Errors that
 * can be detected before the start are refused in this module, in one line.
 */
import { createPublicKey } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, statSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { fileURLToPath } from 'node:url'
import options from './options.json' with { type: 'json' }

/** The configuration of the server. Paths are absolute, values checked. */
export interface Config {
  /** 0 lets the system choose a free port. */
  readonly port: number
  readonly host: string
  /** An additional port to listen on; absent: none. */
  readonly pushPort: number | undefined
  /** The ports of chat programs, which are other names of the same listener ([R392], X32). */
  readonly imPort: number | undefined
  readonly imPushPort: number | undefined
  /** Exists and is writable, unless both the database and the blobs are stored elsewhere. */
  readonly dataDir: string
  /** Absent: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined
  /** Folder of the blobs; exists and is writable. Empty if they are in `s3`. */
  readonly blobDir: string
  /** The bucket of the blobs. */
  readonly s3: S3Config | undefined
  /** Folder of backups from the console; created with the first one. */
  readonly backupDir: string
  /** NATS servers, separated by commas; absent: processes nudge each other through PostgreSQL. */
  readonly fanoutUrl: string | undefined
  /** The public origin, without a trailing slash; absent: the address listened on. */
  readonly publicUrl: string | undefined
  /** Contents of the PEM files; certificate and key match. */
  readonly tls: Certificate | undefined
  /** Reads the PEM files again. Throws `ConfigError` if they do not match. */
  readonly rereadTls: () => Certificate | undefined
  /** Size of the connection pool for requests. */
  readonly databaseConnections: number
  /** Seconds for which a stop is only announced. */
  readonly stopDelay: number
  /** Seconds that a stop waits for transfers. */
  readonly stopTransfers: number
  /** Addresses and CIDR ranges whose forwarded headers are trusted. */
  readonly trustedProxies: readonly string[]
  /** Every blob is read again and compared with its hash within this many days; 0: never. */
  readonly scrubDays: number
  /** The address of ClamAV; absent: no scan. */
  readonly clamd: ClamdAddress | undefined
  /** The public key of whoever issues licences (PEM); absent: no licence is demanded. */
  readonly licenceKey: string | undefined
  /** The LibreOffice executable; undefined: the usual path; `none`: not used. */
  readonly soffice: string | undefined
  /** A folder of fonts for LibreOffice's WebAssembly build. */
  readonly fonts: string | undefined
  /** The Tesseract executable; undefined: the usual path; `none`: not used. */
  readonly tesseract: string | undefined
  /** The least important lines of the log. */
  readonly logLevel: string
  /** Whether every request is logged. */
  readonly accessLog: boolean
  /** Lets callers other than loopback read /metrics. */
  readonly metricsToken: string | undefined
  /** Password of `admin` when an empty installation is set up; absent: it is generated. */
  readonly adminPassword: string | undefined
  /** Fill an empty installation with the demo company. */
  readonly demo: boolean
  /** How many linked servers the demo has. */
  readonly servers: number
  /** Print `helpText()` and exit; nothing else was checked. */
  readonly help: boolean
  /** Print the build and exit; nothing else was checked. */
  readonly version: boolean
}

export interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
}

/** A bucket of an S3 store and its credentials. */
export interface S3Config {
  /** Address of the bucket without a trailing slash: `https://host/bucket`, or `https://bucket.host`. */
  readonly bucketUrl: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
  /** Address of the bucket for browsers; absent: downloads go through this server. */
  readonly directUrl: string | undefined
}

/** The address of ClamAV: a port, or a socket of this machine. */
export type ClamdAddress = { readonly host: string; readonly port: number } | { readonly path: string }

/** An unusable setting; the message is one line for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

interface Option {
  readonly variable?: string
  /** The name of the value in `--help`; a flag without one takes no value. */
  readonly value?: string
  /** The default value. */
  readonly fallback?: string
  /** Shown in `--help` instead of `fallback`. */
  readonly fallbackText?: string
  readonly meaning: string
}

/** With fewer, requests could deadlock waiting for connections. */
const leastConnections = 3

type OptionName = keyof typeof options

const optionNames = Object.keys(options) as OptionName[]

/** Reads flags and variables. Throws `ConfigError`; creates the folders that it names. */
export function loadConfig(argv: readonly string[], env: Record<string, string | undefined>): Config {
  const given = readFlags(argv)
  const source = (name: OptionName): string => {
    const { variable }: Option = options[name]
    return given.has(name) || variable === undefined ? `--${name}` : variable
  }
  const text = (name: OptionName): string | undefined => {
    const { variable, fallback }: Option = options[name]
    return given.get(name) ?? ((variable !== undefined && env[variable]) || fallback)
  }
  const parsed = <T>(name: OptionName, parse: (value: string) => T): T | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    try {
      return parse(value)
    } catch (error) {
      throw new ConfigError(`${source(name)}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const required = <T>(name: OptionName, parse: (value: string) => T): T =>
    parsed(name, parse) ?? fail(`${source(name)}: a value is missing`)

  const bucketOf = (url: URL): string => url.href.replace(/\/$/, '')
  const blobsOf = (blobs: string | URL): Pick<Config, 'blobDir' | 's3'> => {
    if (typeof blobs === 'string') return { blobDir: blobs, s3: undefined }
    const directUrl = parsed('s3-direct-url', asBucket)
    return {
      blobDir: '',
      s3: {
        bucketUrl: bucketOf(blobs),
        accessKeyId: required('s3-access-key-id', String),
        secretAccessKey: required('s3-secret-access-key', String),
        region: required('s3-region', String),
        directUrl: directUrl && bucketOf(directUrl),
      },
    }
  }

  const help = parsed('help', asSwitch) ?? false
  const version = parsed('version', asSwitch) ?? false
  const onlyPrints = help || version
  // If the database and the blobs are stored elsewhere, no data folder is needed.
  const isElsewhere = text('database-url') !== undefined && text('blob-url') !== undefined
  const dataDir = onlyPrints || isElsewhere ? resolve(text('data') ?? '') : required('data', asFolder)
  const rereadTls = () => pairOf(parsed('tls-cert', asFile), parsed('tls-key', asFile))
  return {
    port: required('port', asPort),
    host: required('host', asHost),
    pushPort: parsed('push-port', asPort),
    imPort: parsed('im-port', asPort),
    imPushPort: parsed('im-push-port', asPort),
    dataDir,
    databaseUrl: parsed('database-url', asDatabaseUrl),
    ...(onlyPrints
      ? { blobDir: '', s3: undefined }
      : blobsOf(parsed('blob-url', asBlobs) ?? asFolder(join(dataDir, 'blobs')))),
    backupDir: resolve(text('backup-dir') ?? join(dataDir, 'backups')),
    fanoutUrl: parsed('fanout-url', asNatsUrls),
    publicUrl: parsed('public-url', asOrigin),
    tls: rereadTls(),
    rereadTls,
    databaseConnections: required('database-connections', asConnections),
    stopDelay: required('stop-delay', asSeconds),
    stopTransfers: required('stop-transfers', asSeconds),
    trustedProxies: parsed('trusted-proxies', asNetworks) ?? [],
    scrubDays: required('scrub-days', asDays),
    clamd: parsed('clamd-url', asClamd),
    licenceKey: parsed('licence-key', asLicenceKey),
    soffice: text('soffice'),
    fonts: text('fonts'),
    tesseract: text('tesseract'),
    logLevel: required('log-level', asLogLevel),
    accessLog: parsed('access-log', asSwitch) ?? false,
    metricsToken: text('metrics-token'),
    adminPassword: text('admin-password'),
    demo: parsed('demo', asSwitch) ?? false,
    servers: required('servers', asServers),
    help,
    version,
  }
}

/** One row per setting: printed by `--help` and listed in the table of docs/operation.md. */
export function describeConfig(): { flag: string; variable: string; default: string; meaning: string }[] {
  return optionNames.map((name) => {
    const { variable = '', value, fallback, fallbackText, meaning }: Option = options[name]
    const flag = value === undefined ? `--${name}` : `--${name} <${value}>`
    return { flag, variable, default: fallbackText ?? fallback ?? '', meaning }
  })
}

/** The output of `--help`. */
export function helpText(): string {
  const rows = [{ flag: 'flag', variable: 'variable', default: 'default', meaning: '' }, ...describeConfig()]
  const width = (column: 'flag' | 'variable' | 'default'): number =>
    Math.max(...rows.map((row) => row[column].length)) + 2
  const [flag, variable, fallback] = [width('flag'), width('variable'), width('default')]
  return rows
    .map((row) => row.flag.padEnd(flag) + row.variable.padEnd(variable) + row.default.padEnd(fallback) + row.meaning)
    .map((line) => line.trimEnd())
    .join('\n')
}

function readFlags(argv: readonly string[]): Map<OptionName, string> {
  const given = new Map<OptionName, string>()
  const rest = [...argv]
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const [flag = '', ...parts] = argument.split('=')
    const name = optionNames.find((option) => flag === `--${option}`)
    if (!name) throw new ConfigError(`unknown ${flag.startsWith('-') ? 'flag' : 'argument'} ${flag}: see --help`)
    const option: Option = options[name]
    if (option.value === undefined) {
      given.set(name, parts.length > 0 ? parts.join('=') : 'true')
      continue
    }
    const value = parts.length > 0 ? parts.join('=') : rest.shift()
    if (!value || (parts.length === 0 && value.startsWith('--'))) throw new ConfigError(`${flag}: a value is missing`)
    given.set(name, value)
  }
  return given
}

function fail(message: string): never {
  throw new ConfigError(message)
}

const mostDemoServers = 5

function asServers(value: string): number {
  const servers = Number(value)
  if (!/^\d$/.test(value) || servers < 1 || servers > mostDemoServers)
    return fail(`must be a number from 1 to ${mostDemoServers}, not ${value}`)
  return servers
}

function asSwitch(value: string): boolean {
  if (/^(1|true)$/.test(value)) return true
  if (/^(0|false)$/.test(value)) return false
  return fail(`${value} is neither true nor false`)
}

function asPort(value: string): number {
  const port = Number(value)
  return /^\d+$/.test(value) && port <= 65535 ? port : fail(`${value} is not a port (0 to 65535)`)
}

function asLogLevel(value: string): string {
  return /^(trace|debug|info|warn|error|fatal|silent)$/.test(value) ? value : fail(`${value} is not a level of the log`)
}

function asDays(value: string): number {
  return /^\d{1,4}$/.test(value) ? Number(value) : fail(`${value} is not a number of days (0 to 9999)`)
}

function asConnections(value: string): number {
  const count = Number(value)
  return /^\d{1,4}$/.test(value) && count >= leastConnections
    ? count
    : fail(`${value} is not a number of connections (${leastConnections} to 9999)`)
}

function asSeconds(value: string): number {
  return /^\d{1,4}$/.test(value) ? Number(value) : fail(`${value} is not a number of seconds (0 to 9999)`)
}

function asHost(value: string): string {
  return isIP(value) || /^[a-z\d.-]+$/i.test(value) ? value : fail(`${value} is not an address or host name`)
}

function asFolder(value: string): string {
  const folder = resolve(value)
  try {
    makeFolder(folder)
    rmdirSync(mkdtempSync(join(folder, '.writable-')))
    return folder
  } catch (error) {
    return fail(`the folder ${folder} cannot be written to (${codeOf(error)})`)
  }
}

/** Not `recursive: true`, which never returns if the parent exists but refuses with ENOENT, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another server that starts at the same time has created it.
    if (codeOf(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error
  }
}

/** A folder, or the address of a bucket. */
function asBlobs(value: string): string | URL {
  if (value.startsWith('s3:')) return asBucket(value.slice('s3:'.length))
  if (!value.startsWith('file:')) return fail(`${value} is neither a file: nor an s3: address`)
  return asFolder(value.startsWith('file:/') ? fileURLToPath(value) : decodeURIComponent(value.slice('file:'.length)))
}

function asBucket(value: string): URL {
  const url = URL.parse(value)
  const isPlain = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (!url || !/^https?:$/.test(url.protocol) || !isPlain || !/^\/([^/]+\/?)?$/.test(url.pathname)) {
    return fail(`${value} is not the address of a bucket, such as https://host/bucket`)
  }
  return url
}

function asDatabaseUrl(value: string): string {
  // The value may contain a password, so the message does not repeat it.
  return /^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? '') ? value : fail('not a postgres:// address')
}

function asNatsUrls(value: string): string {
  // The value may contain a password, so the message does not repeat it.
  const isNats = (one: string): boolean => /^(nats|tls):$/.test(URL.parse(one)?.protocol ?? '')
  return value.split(',').every(isNats) ? value : fail('not a nats:// address')
}

function asOrigin(value: string): string {
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol)) return fail(`${value} is not an http:// or https:// address`)
  return url.href === `${url.origin}/` ? url.origin : fail(`${value} must end after the host and port`)
}

function asClamd(value: string): ClamdAddress {
  if (value.startsWith('unix:/')) return { path: decodeURIComponent(value.slice('unix:'.length)) }
  const url = URL.parse(value)
  const isPlain = url?.username === '' && url.pathname.length < 2 && url.search === ''
  if (url?.protocol !== 'tcp:' || !isPlain || url.hostname === '')
    return fail(`${value} is neither tcp://host:port nor unix:/path`)
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 3310) }
}

function asNetworks(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => (isNetwork(part) ? part : fail(`${part} is neither an address nor a CIDR range`)))
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  if (prefix === undefined) return true
  if (!/^\d+$/.test(prefix)) return false
  try {
    new BlockList().addSubnet(address, Number(prefix), family === 6 ? 'ipv6' : 'ipv4')
    return true
  } catch {
    return false
  }
}

function asFile(value: string): Buffer {
  try {
    return readFileSync(value)
  } catch (error) {
    return fail(`${value} cannot be read (${codeOf(error)})`)
  }
}

/** Reads the public key of whoever issues licences. */
function asLicenceKey(value: string): string {
  const pem = asFile(value).toString()
  try {
    if (createPublicKey(pem).asymmetricKeyType === 'ed25519' && pem.includes('PUBLIC KEY')) return pem
  } catch {
    // No key in PEM.
  }
  return fail(`${value} holds no public key (Ed25519, PEM)`)
}

function pairOf(cert: Buffer | undefined, key: Buffer | undefined): Config['tls'] {
  if (!cert && !key) return undefined
  if (!cert || !key) return fail('TLS_CERT and TLS_KEY must be given together')
  try {
    createSecureContext({ cert, key })
    return { cert, key }
  } catch (error) {
    return fail(`TLS_CERT and TLS_KEY cannot be used together (${codeOf(error)})`)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
