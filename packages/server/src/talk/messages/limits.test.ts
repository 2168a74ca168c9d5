// What people type and send that is too long, too large, or meant to harm.
import { randomUUID } from 'node:crypto'
import { LEGACY_PUSH_PORT } from '@cloudoc/contract'
import { codes, limits } from '@cloudoc/domain'
import { describe, expect, test } from 'vitest'
import { type Person, sharedWorld } from '../../../test/harness.ts'
import { textOfRendition, unpacked } from '../../../test/renditions.ts'

const world = sharedWorld()
const send = (person: Person, conversationId: number, value: string) =>
  person.wire('imSend', { conversationId, uuid: randomUUID(), type: 'text', value })
const pair = async () => {
  const [anna, ben] = [await world.person('anna'), await world.person('ben')]
  return { anna, ben, conversationId: (await anna.call('imOpenChat', { userId: ben.userId })).conversationId }
}

describe('[R298] the limits of messages', () => {
  test.each([
    ['letters', 'a'],
    ['Han characters', '字'],
    ['emoji of two units', '😀'],
    ['a family of eleven units', '👨‍👩‍👧‍👦'],
    ['letters with a combining mark', 'e\u0301'],
  ])('2,048 UTF-16 units of %s are stored as they are, one more is refused', async (_, one) => {
    const { anna, ben, conversationId } = await pair()
    const whole = one.repeat(Math.floor(limits.longestMessage / one.length)).padEnd(limits.longestMessage, '.')
    expect(whole).toHaveLength(limits.longestMessage)
    expect((await send(anna, conversationId, whole)).code).toBe('success')
    expect((await send(anna, conversationId, `${whole}.`)).code).toBe('badRequest')
    expect((await ben.call('imHistory', { conversationId })).list.map(({ value }) => value)).toEqual([whole])
  })

  test('a file of one byte more than 524,288,000 is refused before its body', async () => {
    const { anna, conversationId } = await pair()
    const put = (length: number) =>
      world.app.http.inject({
        method: 'PUT',
        url: `/im/api/file/upload?conversationId=${conversationId}&fileName=a.bin`,
        headers: { authorization: `Bearer ${anna.token}`, 'content-length': String(length) },
        payload: Buffer.alloc(0),
      })
    expect((await put(limits.largestTalkFile + 1)).json()).toMatchObject({ result: codes.uploadSizeExceeded.code })
    expect(limits.largestTalkFile).toBe(524_288_000)
  })
})

describe('hostile input', () => {
  test('HTML, marks of direction, zalgo and links are stored as text, and nothing is fetched', async () => {
    const { anna, ben, conversationId } = await pair()
    const texts = [
      '<img src=x onerror=alert(1)><script>alert(1)</script>',
      '合同\u202Etxt.exe\u202C',
      `z${'\u0335\u0321'.repeat(500)}`,
      'http://169.254.169.254/latest/meta-data/ http://localhost:22/',
      '\u0001\u0007\u200b\ufeff可见',
    ]
    for (const text of texts) expect((await send(anna, conversationId, text)).code).toBe('success')
    expect((await ben.call('imHistory', { conversationId })).list.map(({ value }) => value)).toEqual(texts)
    for (const text of ['', ' \n\t ', '\u0000'])
      expect((await send(anna, conversationId, text)).code, JSON.stringify(text)).toBe('badRequest')
  })

  test('10,000 mentions are refused; of 200 only members count, each once', async () => {
    const { anna, ben, conversationId } = await pair()
    const mention = { userId: ben.userId, name: 'ben' }
    const many = (count: number) =>
      anna.wire('imSend', {
        ...{ conversationId, uuid: randomUUID(), type: 'text', value: '@ben' },
        mentions: Array.from({ length: count }, (_, n) => (n < 100 ? mention : { userId: 1_000_000 + n, name: 'x' })),
      })
    expect((await many(10_000)).code).toBe('badRequest')
    expect((await many(200)).data).toMatchObject({ mentions: [mention] })
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'http://a b'])(
    'a link to %s is refused',
    async (url) => {
      const { anna, conversationId } = await pair()
      expect(await anna.refusal('imSend', { conversationId, uuid: randomUUID(), type: 'link', url })).toBe('badRequest')
    },
  )

  test('[R303] an unknown call of chat is answered as one that does not exist', async () => {
    const anna = await world.person('anna')
    const response = await world.app.http.inject({
      url: '/im/api/no/such/call',
      headers: { token: anna.token },
    })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ msg: '未能找到对应的API：no/such/call' })
  })
})

// [R304] The headers token and apiToken are accepted by the calls of chat.
test('[R304] the calls of chat take the token from the headers token and apiToken', async () => {
  const anna = await world.person('anna')
  for (const header of ['token', 'apiToken']) {
    const response = await world.app.http.inject({
      url: '/im/api/server/getInfo',
      headers: { [header]: anna.token },
    })
    expect(response.json(), header).toMatchObject({
      result: codes.success.code,
      data: { chatFolder: '/im', mainFolder: '/server', webPort: 333, pushPort: 444 },
    })
  }
})

// [R392] The ports 333 and 444 of chat programs; that of the binary channel is 8016.
// [R302] Folders and ports of chat, with the port of the server's address where it has one; the main server is served below
// the main folder, and pictures of people and groups have their documented addresses.
test('[R302] [R392] a chat program finds the folders, the ports, and the pictures of people and groups', async () => {
  const { anna, ben } = await pair()
  const info = async (host: string) => {
    const response = await world.app.http.inject({
      url: '/im/api/server/getInfo',
      headers: { authorization: `Bearer ${anna.token}`, host },
    })
    return response.json<{ data: object }>().data
  }
  const folders = { chatFolder: '/im', mainFolder: '/server' }
  expect(await info('files.example.com')).toMatchObject({ ...folders, webPort: 333, pushPort: 444 })
  expect(await info('a host:that is none')).toMatchObject({ ...folders, webPort: 333 })
  expect(await info('files.example.com:8443')).toMatchObject({ ...folders, webPort: 8443, pushPort: 8443 })
  expect(LEGACY_PUSH_PORT).toBe(8016)
  const below = await world.app.http.inject({
    url: `${folders.mainFolder}/services2/user/getMyAccountInfo`,
    headers: { authorization: `Bearer ${anna.token}` },
  })
  expect(below.json()).toMatchObject({ result: -1, data: { userId: anna.userId } })
  const { default: sharp } = await import('sharp')
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#2b6cb0' } })
    .png()
    .toBuffer()
  await ben.call('setAvatar', { picture: picture.toString('base64') })
  const { conversationId } = await anna.call('imCreateGroup', { name: '头像', userIdArray: [ben.userId] })
  await anna.call('imUpdateGroup', { conversationId, picture: picture.toString('base64') })
  const stranger = await world.person('stranger')
  for (const url of [`/im/user/${ben.userId}/avatar`, `/im/group/${conversationId}/avatar`]) {
    const get = (person: Person) => world.app.http.inject({ url, headers: { token: person.token } })
    const found = await get(anna)
    expect([found.statusCode, String(found.headers['content-type']).split('/')[0]], url).toEqual([200, 'image'])
    expect(found.rawPayload.length).toBeGreaterThan(0)
    if (url.includes('group')) expect((await get(stranger)).json()).toMatchObject({ result: codes.notFound.code })
  }
})

test('[R293] a file of a conversation is previewed by its readers, and by nobody else', async () => {
  const { anna, ben, conversationId } = await pair()
  const uploaded = await world.app.http.inject({
    method: 'PUT',
    url: `/im/api/file/upload?${new URLSearchParams({ conversationId: String(conversationId), fileName: '纪要.txt' }).toString()}`,
    headers: { authorization: `Bearer ${anna.token}`, 'content-type': 'application/octet-stream' },
    payload: Buffer.from('会议纪要'),
  })
  const { fileId } = uploaded.json<{ data: { fileId: number } }>().data
  const { number } = await anna.call('imSend', { conversationId, uuid: randomUUID(), type: 'file', fileId })
  const preview = (person: Person) =>
    world.app.http.inject({
      url: `/im/api/filePreview/${conversationId}/${fileId}`,
      headers: { authorization: `Bearer ${person.token}` },
    })
  expect(textOfRendition(unpacked((await preview(ben)).rawPayload))).toBe('会议纪要')
  expect((await preview(await world.person('cara'))).json()).toMatchObject({ result: codes.notFound.code })
  await anna.call('imRecall', { conversationId, number })
  expect((await preview(ben)).json()).toMatchObject({ result: codes.notFound.code })
})

// [R169] Batch thumbnails, and those of pictures in conversations, are made from the content and shown in lists and in chat.
test('[R169] the thumbnail of a picture in a conversation is made from its content', async () => {
  const { anna, ben, conversationId } = await pair()
  const { default: sharp } = await import('sharp')
  const picture = await sharp({ create: { width: 1600, height: 900, channels: 3, background: '#2b6cb0' } })
    .jpeg()
    .toBuffer()
  const uploaded = await world.app.http.inject({
    method: 'PUT',
    url: `/im/api/file/upload?${new URLSearchParams({ conversationId: String(conversationId), fileName: '照片.jpg', picture: 'true' }).toString()}`,
    headers: { authorization: `Bearer ${anna.token}`, 'content-type': 'application/octet-stream' },
    payload: picture,
  })
  const { fileId } = uploaded.json<{ data: { fileId: number } }>().data
  await anna.call('imSend', { conversationId, uuid: randomUUID(), type: 'img', fileId })
  const read = async (query: string) => {
    const response = await world.app.http.inject({
      url: `/im/api/file/${conversationId}/${fileId}${query}`,
      headers: { authorization: `Bearer ${ben.token}` },
    })
    return { type: response.headers['content-type'], bytes: response.rawPayload }
  }
  await expect.poll(async () => (await read('?thumbnail=true')).type, { timeout: 120_000 }).toBe('image/webp')
  const { width } = await sharp((await read('?thumbnail=true')).bytes).metadata()
  expect(width).toBeLessThan(600)
  expect((await read('')).bytes).toEqual(picture)
})
