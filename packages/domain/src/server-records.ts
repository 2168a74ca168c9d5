// What clients derive from the record of a server: where it is reached, and how programs sign in there ([R043], [R045],
// [R346]).

/** The record of a server, as a client keeps it after the sign-in. The main server has the id 0 (X28). */
export interface ServerRecord {
  readonly isMain: boolean
  readonly serverId: number
  readonly serverCode: string
  /** The address of the API: protocol, host, port and web context. */
  readonly apiHost: string
  /** Four parts separated by `|`: host, web port, file port, push port. Empty parts and an empty text say nothing. */
  readonly bestServer: string
  /** `proxy`: the best server is a proxy, which carries WebSockets only. */
  readonly bestServerProperty: string
  readonly serverSetting: { readonly setting: { readonly use_websocket: boolean; readonly proxy_address?: string } }
  readonly accountInfo: { readonly account: string; readonly accountName: string; readonly userId: number }
  readonly tokenInfo: { readonly accessToken: string }
}

/** Where a server is reached. */
export interface DerivedServer {
  readonly host: string
  readonly webContext: string
  readonly webPort: number
  readonly filePort: number
  readonly pushPort: number
  readonly protocol: 'http' | 'https'
  readonly code: string
  readonly useWS: boolean
  readonly isMainServer: boolean
}

/** The mark of a best server that is a proxy. */
export const proxyProperty = 'proxy'
/** Servers of the vendor are reached through its own proxies. */
const vendorDomain = 'cloudoc.cn'
/** The port of the old push channel (X32). */
const usualPushPort = 8016

/** A port in a text, or undefined. */
function portOf(text: string | undefined): number | undefined {
  const port = Number(text?.trim() || Number.NaN)
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined
}

/** The ports that a best server names: that of contents, and that of the live channel. */
function bestServerPorts(bestServer: string): { filePort: number | undefined; pushPort: number | undefined } {
  const [, , filePort, pushPort] = bestServer.split('|')
  return { filePort: portOf(filePort), pushPort: portOf(pushPort) }
}

/** Whether the push channel is a WebSocket of the JSON protocol: by the setting, by a proxy, or at the vendor ([R043]). */
export function usesWebSocket(
  { bestServerProperty, serverSetting }: Pick<ServerRecord, 'bestServerProperty' | 'serverSetting'>,
  host: string,
): boolean {
  const isVendor = host === vendorDomain || host.endsWith(`.${vendorDomain}`)
  return serverSetting.setting.use_websocket || bestServerProperty === proxyProperty || isVendor
}

const httpAddress = /^(https?):\/\/(\[[^\]]*\]|[^/:?#]*)(?::(\d+))?([^?#]*)/i

/** Derives where a server is reached from its record. The API's address is one of http or https. */
export function deriveServer(record: ServerRecord): DerivedServer {
  const [, scheme = '', name = '', port, pathname = ''] = httpAddress.exec(record.apiHost) ?? []
  const hostname = name.toLowerCase()
  const protocol = scheme.toLowerCase() === 'http' ? 'http' : 'https'
  const webPort = portOf(port) ?? (protocol === 'https' ? 443 : 80)
  const { filePort, pushPort } = bestServerPorts(record.bestServer)
  return {
    host: hostname,
    webContext: pathname.replace(/\/+$/, ''),
    webPort,
    filePort: filePort ?? webPort,
    pushPort: pushPort ?? usualPushPort,
    protocol,
    code: record.serverCode,
    useWS: usesWebSocket(record, hostname),
    isMainServer: record.isMain,
  }
}

/** The origin at which programs fetch and send contents: the server itself, at the file port of its best server. */
export function contentOrigin(origin: string, bestServer: string): string {
  const { filePort } = bestServerPorts(bestServer)
  const [, scheme = '', name = '', port] = httpAddress.exec(origin) ?? []
  const ownPort = portOf(port) ?? (scheme === 'https' ? 443 : 80)
  return filePort === undefined || filePort === ownPort ? origin : `${scheme}://${name}:${filePort}`
}

/** The sign-in of one client at all its servers. */
export interface DerivedLogins {
  readonly accountId: number
  readonly clientType: number
  readonly servers: Readonly<
    Record<
      number,
      {
        readonly accountId: number
        readonly token: string
        readonly clientType: number
        readonly cookies: readonly { readonly name: string; readonly value: string }[]
      }
    >
  >
}

/**
 * Derives the sign-in of a client from the records of its servers ([R045]). `cookiesOf` gives the session cookies of a
 * server that the client may read; one with the account's name is added. Without a main server there is no sign-in: a
 * warning, and undefined.
 */
export function deriveLogins(
  records: readonly ServerRecord[],
  {
    clientType,
    cookiesOf,
    warn,
  }: {
    readonly clientType: number
    readonly cookiesOf: (record: ServerRecord) => readonly { readonly name: string; readonly value: string }[]
    readonly warn: (text: string) => void
  },
): DerivedLogins | undefined {
  const main = records.find(({ isMain }) => isMain)
  if (main === undefined) {
    warn('no main server is signed in')
    return undefined
  }
  const servers = Object.fromEntries(
    records.map((record) => [
      record.serverId,
      {
        accountId: record.accountInfo.userId,
        token: record.tokenInfo.accessToken,
        clientType,
        cookies: [...cookiesOf(record), { name: 'userName', value: record.accountInfo.account }],
      },
    ]),
  )
  return { accountId: main.accountInfo.userId, clientType, servers }
}

/** The host of a proxy, which begins with the code of the server that it leads to ([R346]). */
export function proxyHost(address: string, serverCode: string): string {
  const prefix = `${serverCode}.`
  return serverCode === '' || address === '' || address.toLowerCase().startsWith(prefix.toLowerCase())
    ? address
    : prefix + address
}

/** The origin at which programs reach a server: by its proxy if it has one, otherwise its own. */
export function programOrigin(
  origin: string,
  { proxy_address, server_code }: { readonly proxy_address: string; readonly server_code: string },
): string {
  return proxy_address === '' ? origin : `${origin.split('//')[0]}//${proxyHost(proxy_address, server_code)}`
}
