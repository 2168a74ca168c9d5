// @vitest-environment happy-dom
import { pushes } from '@cloudoc/contract'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeApi, http, refused, unreachable } from '../../../test/fake-api.ts'
import { joinInitialAreas } from '../../app/join-areas.ts'
import { setLocale } from '../i18n/i18n.ts'
import { type ApiHooks, api, CallError, connectApi, mainServer, requestOf, streamUrl, trustRedirectsTo } from './api.ts'

joinInitialAreas()

const hooks = {
  renewSession: vi.fn<ApiHooks['renewSession']>(() => Promise.resolve(false)),
  renewPassword: vi.fn<ApiHooks['renewPassword']>(() => Promise.resolve(false)),
  renewFactor: vi.fn<ApiHooks['renewFactor']>(() => Promise.resolve(false)),
  redirecting: vi.fn<ApiHooks['redirecting']>(),
  unknownCall: vi.fn<ApiHooks['unknownCall']>(),
  wiped: vi.fn<ApiHooks['wiped']>(),
  reached: vi.fn<ApiHooks['reached']>(),
  slow: vi.fn<ApiHooks['slow']>(),
  maintained: vi.fn<ApiHooks['maintained']>(),
} satisfies ApiHooks
connectApi(hooks)

afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.clearAllMocks()
  await setLocale('zh')
})

const failureOf = async (call: Promise<unknown>): Promise<CallError> => {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof CallError)) throw new Error('the call did not fail')
  return error
}

describe('a request', () => {
  // [R376] In part (programs alone send a bearer token and multipart forms: the session of a page is in a cookie that no
  // script can read, and its uploads are parts that can be resumed): path, query, repeated keys, rnd, credentials.
  it('places path parameters, query and repeated keys where the catalogue says, with rnd and credentials [R376]', () => {
    const { url, init } = requestOf('getSubItemList3', { folderId: 7, from: 60, keyword: 'a b' })
    const parsed = new URL(url, 'http://x')
    expect(parsed.pathname).toBe('/services2/file/query/getSubItemList3/7')
    expect(parsed.searchParams.get('from')).toBe('60')
    expect(parsed.searchParams.get('keyword')).toBe('a b')
    expect(parsed.searchParams.get('rnd')).toMatch(/^0\.\d+$/)
    expect(init).toMatchObject({ method: 'GET', credentials: 'same-origin', headers: { 'x-cloudoc-client': 'web' } })
  })

  it('sends a form as a form, a list as the whole body and a text as a text [R014] [R016]', () => {
    const form = requestOf('login3', { serverId: 0, clientType: 6, userName: 'a', password: 'p&' }).init
    expect(form.headers).toMatchObject({ 'content-type': 'application/x-www-form-urlencoded' })
    expect(form.body).toBe('serverId=0&clientType=6&userName=a&password=p%26')
    const confirm = requestOf('confirmMsg', {
      clientType: 6,
      list: [{ pushType: pushes.shareRemind.type, identity: '9' }],
    })
    expect(confirm.url).toContain('/confirmMsg/6?')
    expect(confirm.init.body).toBe('[{"pushType":55,"identity":"9"}]')
    const encrypted = requestOf('loginInEncrypt', { csrf_token: 'c', clientType: 6, body: 'AAAA' })
    expect(encrypted.url).toContain('csrf_token=c')
    expect(encrypted.init.body).toBe('AAAA')
  })

  it('repeats the key of an array in a query [R376]', () => {
    const { url } = requestOf('getSubItemList3', { folderId: 1, keyword: ['a', 'b'] })
    expect(new URL(url, 'http://x').searchParams.getAll('keyword')).toEqual(['a', 'b'])
  })

  it('tells once that it takes long, and that it has been answered; not of what nobody waits for', async () => {
    vi.useFakeTimers()
    const held = Promise.withResolvers<{ used: number; total: number }>()
    fakeApi({ getUseSpaceSizeInfo: () => held.promise })
    const both = Promise.all([api.getUseSpaceSizeInfo({}), api.getUseSpaceSizeInfo({}, { quiet: true })])
    await vi.advanceTimersByTimeAsync(999)
    expect(hooks.slow).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(5000)
    expect(hooks.slow.mock.calls).toEqual([[1]])
    held.resolve({ used: 0, total: 0 })
    await both
    expect(hooks.slow.mock.calls).toEqual([[1], [-1]])
  })

  // [R031] A call to an unknown server, and one from a page that no server has sent, fail with the documented errors.
  it('names a server that nobody knows, and says where there is no main server [R031]', async () => {
    expect(() => requestOf('logout2', {}, 4)).toThrow('can not found server: 4')
    await expect(api.of({ serverId: 4 }).getFileInfo({ fileId: 3 })).rejects.toThrow('can not found server: 4')
    vi.stubGlobal('location', new URL('file:///C:/saved/cloudoc.html'))
    await expect(api.getMyAccountInfo({})).rejects.toThrow('can not found main server')
  })

  it('carries the ticket of a stream, never the session', () => {
    expect(streamUrl('downloadServlet', { fileId: 3 }, mainServer, 't/1')).toMatch(
      /^\/DownloadServlet\?fileId=3&rnd=[\d.]+&access_token=t%2F1$/,
    )
  })
})

describe('an answer', () => {
  it('gives the data of result -1 [R379]', async () => {
    fakeApi({ getSafeStrategyInfo: { pwdLength: 9, captchaAlways: false } })
    await expect(api.getSafeStrategyInfo({})).resolves.toEqual({ pwdLength: 9, captchaAlways: false })
    expect(hooks.reached).toHaveBeenLastCalledWith(true)
  })

  it('fails with the name of any other code, its text behind the front message [R379]', async () => {
    fakeApi({ renameFile: refused('alreadyExists') })
    const error = await failureOf(
      api.of(mainServer).renameFile({ fileId: 1, fileName: 'a.txt' }, { front: '重命名失败：' }),
    )
    expect(error).toMatchObject({ code: 'alreadyExists', number: -5, message: '重命名失败：同名文件或文件夹已存在' })
  })

  it('says a code in the words of the caller where it has its own [R379]', async () => {
    fakeApi({ renameFile: refused('alreadyExists') })
    const error = await failureOf(
      api.of(mainServer).renameFile({ fileId: 1, fileName: 'a.txt' }, { texts: { alreadyExists: '换个名字' } }),
    )
    expect(error.message).toBe('换个名字')
  })

  it('says that there is no connection in the documented words [R380] [X56]', async () => {
    fakeApi({ getSafeStrategyInfo: unreachable })
    expect(await failureOf(api.getSafeStrategyInfo({}))).toMatchObject({ code: 'network', message: '无法连接到网络' })
    await setLocale('en')
    expect(await failureOf(api.getSafeStrategyInfo({}))).toMatchObject({ message: 'Can not connect to Internet' })
    expect(hooks.reached).toHaveBeenLastCalledWith(false)
  })

  // [R377] Time-outs: 60 s, 30 s for the calls of chat, 3 s for signing out.
  it('gives up after its time: 3 s for logout2, 30 s for chat, 60 s for others [R377] [R380]', async () => {
    vi.useFakeTimers()
    const never = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    vi.stubGlobal('fetch', (_: string, init: { signal: AbortSignal }) => never(init.signal))
    await setLocale('en')
    const logout = failureOf(api.logout2({}))
    const space = failureOf(api.getUseSpaceSizeInfo({}))
    const chat = failureOf(api.imChatList({}))
    const pending = 'still waiting'
    await vi.advanceTimersByTimeAsync(3000)
    await expect(logout).resolves.toMatchObject({ code: 'timeout', message: 'Request timeout', quiet: true })
    await vi.advanceTimersByTimeAsync(26_999)
    expect(await Promise.race([chat, Promise.resolve(pending)])).toBe(pending)
    await vi.advanceTimersByTimeAsync(1)
    await expect(chat).resolves.toMatchObject({ code: 'timeout' })
    await vi.advanceTimersByTimeAsync(29_999)
    expect(await Promise.race([space, Promise.resolve('still waiting')])).toBe('still waiting')
    await vi.advanceTimersByTimeAsync(1)
    await expect(space).resolves.toMatchObject({ code: 'timeout', quiet: false })
  })

  it('is dropped quietly when the page withdraws the request [R380]', async () => {
    const abort = new AbortController()
    fakeApi({
      getUseSpaceSizeInfo: () => {
        abort.abort()
        return { used: 0, total: 0 }
      },
    })
    const error = await failureOf(api.getUseSpaceSizeInfo({}, { signal: abort.signal }))
    expect(error).toMatchObject({ code: 'withdrawn', quiet: true })
  })

  // [R381] The text of the HTTP status where there is one.
  it('has the text of its HTTP status where there is one, else what was said [R381]', async () => {
    fakeApi({ getUseSpaceSizeInfo: http(502) })
    expect(await failureOf(api.getUseSpaceSizeInfo({}))).toMatchObject({ code: 'http', message: '服务器无法访问' })
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('', { status: 418, statusText: 'Teapot' })))
    expect(await failureOf(api.getUseSpaceSizeInfo({}))).toMatchObject({ number: 418, message: 'Teapot' })
  })
})

describe('without a session', () => {
  it.each([
    ['HTTP 401', http(401)],
    ['HTTP 266', http(266)],
    ['result -69', refused('notLoggedIn')],
  ])('%s waits for a new session and is then sent again [R035] [X23]', async (_, reply) => {
    const server = fakeApi({ getUseSpaceSizeInfo: reply })
    hooks.renewSession.mockImplementationOnce(() => {
      server.now({ getUseSpaceSizeInfo: { used: 1, total: 2 } })
      return Promise.resolve(true)
    })
    await expect(api.getUseSpaceSizeInfo({})).resolves.toEqual({ used: 1, total: 2 })
    expect(server.inputsOf('getUseSpaceSizeInfo')).toHaveLength(2)
  })

  it('a redirected answer counts as no session [X23]', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(Object.assign(Response.json({}), { redirected: true })))
    await failureOf(api.getUseSpaceSizeInfo({}))
    expect(hooks.renewSession).toHaveBeenCalledOnce()
  })

  it('fails quietly when the person gives up, for that has just been said', async () => {
    fakeApi({ getUseSpaceSizeInfo: refused('notLoggedIn') })
    expect(await failureOf(api.getUseSpaceSizeInfo({}))).toMatchObject({ code: 'notLoggedIn', quiet: true })
  })

  it('asks nobody when a call only looks whether there is a session, or needs none', async () => {
    fakeApi({ getMyAccountInfo: refused('notLoggedIn'), login3ByLoginKey: refused('notLoggedIn') })
    await failureOf(api.getMyAccountInfo({}, { probe: true }))
    await failureOf(api.login3ByLoginKey({ loginKey: 'k', clientType: 6 }))
    expect(hooks.renewSession).not.toHaveBeenCalled()
  })
})

describe('an unlicensed server (455)', () => {
  it('is told in words when it names no address, and is not followed to a stranger [X22]', async () => {
    fakeApi({ getUseSpaceSizeInfo: http(455, { redirect: 'https://elsewhere.example/a' }) })
    const error = await failureOf(api.getUseSpaceSizeInfo({}))
    expect(error.message).toBe('系统未激活或已过期')
    expect(hooks.redirecting).not.toHaveBeenCalled()
  })

  // [R036] A 455 with an address is followed after 3 s, the last of several that arrive together, to our own or a
  // configured origin.
  it('is followed once, after three seconds, to an address the administrator configured [R036] [X22]', async () => {
    vi.useFakeTimers()
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
    trustRedirectsTo('https://activate.example/start')
    fakeApi({ getUseSpaceSizeInfo: http(455, { redirect: 'https://activate.example/now' }) })
    await Promise.all([failureOf(api.getUseSpaceSizeInfo({})), failureOf(api.getUseSpaceSizeInfo({}))])
    // The last redirect of a burst counts. A burst ends after at most 800 ms.
    for (const path of ['first', 'second', 'third', 'fourth', 'fifth']) {
      await vi.advanceTimersByTimeAsync(150)
      fakeApi({ getUseSpaceSizeInfo: http(455, { redirect: `https://activate.example/${path}` }) })
      await failureOf(api.getUseSpaceSizeInfo({}))
    }
    expect(hooks.redirecting).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(50)
    expect(hooks.redirecting.mock.calls).toEqual([['https://activate.example/fifth']])
    fakeApi({ getUseSpaceSizeInfo: http(455, { redirect: '/late' }) })
    await failureOf(api.getUseSpaceSizeInfo({}))
    await vi.advanceTimersByTimeAsync(2999)
    expect(assign).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(String(assign.mock.calls[0]?.[0])).toBe('https://activate.example/fifth')
    expect(assign).toHaveBeenCalledOnce()
  })

  it('leads from a relative address to the server that sent it, after 200 ms without another [R036]', async () => {
    vi.resetModules()
    const fresh = await import('./api.ts')
    vi.useFakeTimers()
    const redirecting = vi.fn<ApiHooks['redirecting']>()
    fresh.connectApi({ ...hooks, redirecting })
    history.replaceState(null, '', '/doc/folder/files')
    fakeApi({ getUseSpaceSizeInfo: http(455, { redirect: 'activate' }) })
    await fresh.api.getUseSpaceSizeInfo({}).catch(() => undefined)
    await vi.advanceTimersByTimeAsync(199)
    expect(redirecting).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(redirecting.mock.calls).toEqual([[`${location.origin}/activate`]])
  })
})

// [R378] An unknown call shows API ERROR.
it('tells of a call that the catalogue does not know [R378]', async () => {
  const dynamic = api as unknown as Record<string, () => Promise<unknown>>
  expect(await failureOf(dynamic.nothingLikeIt?.() ?? Promise.resolve())).toMatchObject({ message: 'API ERROR' })
  expect(hooks.unknownCall).toHaveBeenCalledWith('nothingLikeIt')
})

// [R303] An unknown call of chat shows its name, on the page and from the server; an upload that fails in chat also shows
// IM出错了.
it('[R303] names an unknown call of chat', async () => {
  const dynamic = api as unknown as Record<string, () => Promise<unknown>>
  const failure = await failureOf(dynamic.imNothingLikeIt?.() ?? Promise.resolve())
  expect(failure).toMatchObject({ message: '未能找到对应的API：imNothingLikeIt' })
  expect(hooks.unknownCall).toHaveBeenCalledWith('imNothingLikeIt')
})
