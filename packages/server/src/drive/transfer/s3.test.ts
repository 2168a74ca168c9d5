// Behaviour of content stored in S3: a store outage, and downloads that bypass the server.
import { join } from 'node:path'
import { codes } from '@cloudoc/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { longTest } from '../../../test/full.ts'
import { openWorld, type Person, type World } from '../../../test/harness.ts'
import { makeBucket, openTestStore, removeBuckets, S3Server, type StoreOptions } from '../../../test/s3.ts'
import { ServerProcess } from '../../../test/server-process.ts'

let s3: S3Server
beforeAll(async () => {
  s3 = await S3Server.start()
})
afterAll(async () => {
  await s3.kill()
  await removeBuckets()
})

async function worldOn(folder: string, options: StoreOptions): Promise<{ world: World; anna: Person }> {
  const world = await openWorld({ openBlobs: (pausePoint) => openTestStore(s3, folder, { ...options, pausePoint }) })
  return { world, anna: await world.person('anna') }
}

test('a store that is away is told by name, what needs no contents goes on, and so does everything when it is back', async () => {
  const { world, anna } = await worldOn(await makeBucket(), { patienceMs: 100 })
  const fileId = await anna.upload(anna.library, 'before.txt', 'before')
  await s3.kill()
  const large = Buffer.alloc(300_000, 'large')
  for (const content of ['small', large]) {
    const wire = await anna.uploadWire(anna.library, 'during.txt', content)
    expect([wire.status, wire.code]).toEqual([503, 'storageUnavailable'])
  }
  for (const url of [`/DownloadServlet?fileId=${fileId}`, `/DownloadMultiFile?files=fi_${fileId}`]) {
    const response = await world.app.http.inject({ url, headers: { authorization: `Bearer ${anna.token}` } })
    expect([response.statusCode, response.json<{ result: number }>().result]).toEqual([
      503,
      codes.storageUnavailable.code,
    ])
  }
  expect(await anna.names(anna.library)).toEqual(['before.txt'])
  await anna.call('folderCreate', { parentId: anna.library, folderName: 'made meanwhile' })
  await s3.restart()
  expect((await anna.download(fileId)).body).toBe('before')
  const after = await anna.upload(anna.library, 'during.txt', large)
  expect((await anna.download(after)).rawPayload.equals(large)).toBe(true)
})

test('[R201] where browsers reach the bucket, a download is sent there as an attachment, and a preview is not', async () => {
  const folder = await makeBucket()
  const { world, anna } = await worldOn(folder, { directUrl: s3.configOf(folder).bucketUrl })
  const ben = await world.person('ben')
  const fileId = await anna.upload(anna.library, '合同 (1).txt', '<script>alert(1)</script>')
  const redirect = await anna.download(fileId)
  expect([redirect.statusCode, redirect.body]).toEqual([302, ''])
  expect(redirect.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-cache' })
  const response = await fetch(String(redirect.headers.location), { headers: { range: 'bytes=8-12' } })
  expect([response.status, await response.text()]).toEqual([206, 'alert'])
  expect(response.headers.get('content-type')).toBe('application/octet-stream')
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; .*''%E5%90%88%E5%90%8C%20%281%29\.txt$/)
  const { url } = await anna.call('getDocumentPreviewURL', { fileId })
  const preview = await world.app.http.inject({ url })
  expect([preview.statusCode, preview.body]).toEqual([200, '<script>alert(1)</script>'])
  const head = { method: 'HEAD', url: `/DownloadServlet?fileId=${fileId}` } as const
  const answer = await world.app.http.inject({ ...head, headers: { authorization: `Bearer ${anna.token}` } })
  expect([answer.statusCode, answer.headers['content-length']]).toEqual([200, '25'])
  expect((await ben.download(fileId)).headers.location).toBeUndefined()
})

longTest(
  'a start with a bucket that cannot be written to ends with one line and exit code 2, with a good one it serves',
  async () => {
    const { bucketUrl, accessKeyId, secretAccessKey, region } = s3.configOf(await makeBucket())
    const data = join(await makeBucket(), 'data')
    const start = (secret: string): ServerProcess =>
      new ServerProcess(['--data', data, '--port', '0', '--blob-url', `s3:${bucketUrl}`], {
        S3_ACCESS_KEY_ID: accessKeyId,
        S3_SECRET_ACCESS_KEY: secret,
        S3_REGION: region,
      })
    const refused = start('wrong')
    expect(await refused.exited).toBe(2)
    expect(refused.err.trim()).toMatch(/^BLOB_URL: the S3 store cannot be used: .* 403 SignatureDoesNotMatch$/)
    const serving = start(secretAccessKey)
    expect((await fetch(`${await serving.ready()}/healthz`)).status).toBe(200)
    serving.child.kill('SIGTERM')
    expect(await serving.exited).toBe(0)
  },
)
