import { describe, expect, test } from 'vitest'
import {
  contentOrigin,
  deriveLogins,
  deriveServer,
  programOrigin,
  proxyHost,
  type ServerRecord,
  usesWebSocket,
} from './server-records.ts'

const record = (given: Partial<ServerRecord> = {}): ServerRecord => ({
  isMain: true,
  serverId: 0,
  serverCode: 'huaxin',
  apiHost: 'https://doc.huaxin.example',
  bestServer: '',
  bestServerProperty: '',
  serverSetting: { setting: { use_websocket: false } },
  accountInfo: { account: 'anna', accountName: 'Anna', userId: 7 },
  tokenInfo: { accessToken: 't0' },
  ...given,
})

describe('the record of a server', () => {
  // [R390] Without ports in the record they are 443 with https and 80 with http.
  // [R043] From the record of a server a client derives host, web context, ports, protocol, code, useWS and whether it
  // is the main one.
  test.each([
    [
      {},
      { host: 'doc.huaxin.example', webContext: '', webPort: 443, filePort: 443, pushPort: 8016, protocol: 'https' },
    ],
    [{ apiHost: 'http://10.0.0.5/cloud/' }, { host: '10.0.0.5', webContext: '/cloud', webPort: 80, protocol: 'http' }],
    [{ apiHost: 'https://a.example:8443/x/y' }, { webContext: '/x/y', webPort: 8443, filePort: 8443 }],
    [{ bestServer: 'a.example|443|8081|8016' }, { webPort: 443, filePort: 8081, pushPort: 8016 }],
    [{ bestServer: 'a|443||9000' }, { filePort: 443, pushPort: 9000 }],
    [{ bestServer: 'a|443|x|70000' }, { filePort: 443, pushPort: 8016 }],
    [
      { isMain: false, serverCode: 'sz' },
      { isMainServer: false, code: 'sz' },
    ],
  ])('[R043] [R390] %o gives %o', (given, derived) => {
    expect(deriveServer(record(given))).toMatchObject(derived)
  })

  test.each([
    ['', 'https://doc.huaxin.example'],
    ['doc.huaxin.example|443||8016', 'https://doc.huaxin.example'],
    ['doc.huaxin.example|443|8081|8016', 'https://doc.huaxin.example:8081'],
    ['elsewhere.example|443|8081', 'https://doc.huaxin.example:8081'],
    ['doc.huaxin.example|443|443|', 'https://doc.huaxin.example'],
    ['doc.huaxin.example|443|99999|', 'https://doc.huaxin.example'],
  ])('[R043] with the best server %j contents are fetched at %s', (bestServer, origin) => {
    expect(contentOrigin('https://doc.huaxin.example', bestServer)).toBe(origin)
  })

  test('[R043] useWS: by the setting, by the mark of a proxy, or at the vendor, and not otherwise', () => {
    expect(deriveServer(record()).useWS).toBe(false)
    expect(deriveServer(record({ serverSetting: { setting: { use_websocket: true } } })).useWS).toBe(true)
    expect(deriveServer(record({ bestServerProperty: 'proxy' })).useWS).toBe(true)
    expect(deriveServer(record({ bestServerProperty: 'Proxy' })).useWS).toBe(false)
    expect(deriveServer(record({ apiHost: 'https://hx.cloudoc.cn' })).useWS).toBe(true)
    expect(usesWebSocket(record(), 'evilcloudoc.cn')).toBe(false)
  })

  // [R045] The sign-in of a client has the account of the main server and, for each server, account, token, client type
  // and cookies with that of the account's name; without a main server there is a warning and nothing.
  test('[R045] the sign-in of a client is derived from the records of its servers', () => {
    const warnings: string[] = []
    const how = {
      clientType: 6,
      cookiesOf: ({ serverId }: ServerRecord) => (serverId === 0 ? [{ name: 'cloudoc_session', value: 's' }] : []),
      warn: (text: string) => void warnings.push(text),
    }
    const linked = record({
      isMain: false,
      serverId: 2,
      accountInfo: { account: 'anna.sz', accountName: 'Anna', userId: 31 },
      tokenInfo: { accessToken: 't2' },
    })
    expect(deriveLogins([linked, record()], how)).toEqual({
      accountId: 7,
      clientType: 6,
      servers: {
        0: {
          accountId: 7,
          token: 't0',
          clientType: 6,
          cookies: [
            { name: 'cloudoc_session', value: 's' },
            { name: 'userName', value: 'anna' },
          ],
        },
        2: { accountId: 31, token: 't2', clientType: 6, cookies: [{ name: 'userName', value: 'anna.sz' }] },
      },
    })
    expect(warnings).toEqual([])
    expect(deriveLogins([linked], how)).toBeUndefined()
    expect(warnings).toEqual(['no main server is signed in'])
  })

  // [R346] The host of a proxy begins with the code of the server; programs are sent to it if there is one.
  test('[R346] the host of a proxy gets the code of the server in front, once', () => {
    expect(proxyHost('proxy.example:8443', 'huaxin')).toBe('huaxin.proxy.example:8443')
    expect(proxyHost('huaxin.proxy.example', 'huaxin')).toBe('huaxin.proxy.example')
    expect(proxyHost('HUAXIN.proxy.example', 'huaxin')).toBe('HUAXIN.proxy.example')
    expect(proxyHost('huaxin2.proxy.example', 'huaxin')).toBe('huaxin.huaxin2.proxy.example')
    expect(proxyHost('proxy.example', '')).toBe('proxy.example')
    expect(proxyHost('', 'huaxin')).toBe('')
    const at = (proxy_address: string) =>
      programOrigin('https://doc.huaxin.example', { proxy_address, server_code: 'hx' })
    expect(at('')).toBe('https://doc.huaxin.example')
    expect(at('proxy.example:8443')).toBe('https://hx.proxy.example:8443')
  })
})
