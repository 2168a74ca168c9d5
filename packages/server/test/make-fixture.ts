// Makes a fixture of the current schema: a small demo company, built with ordinary calls, stored as a backup in
// fixtures/<name>.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { demoPassword, fillWithDemo } from '@cloudoc/devkit/demo'
import { codes } from '@cloudoc/domain'
import { createApp } from '../src/app.ts'
import { startEmbeddedPostgres } from '../src/core/db/embedded-postgres.ts'
import { createLog } from '../src/core/log.ts'
import { emptyDocument } from '../src/documents/index.ts'
import { setUp } from '../src/first-start.ts'
import { installation } from '../src/installation.ts'
import { backUp } from '../src/system/backup/index.ts'
import { fixtures, signInTo, viewers, visibleTo } from './fixture.ts'

/** The maximum number of documents; larger documents are left out. */
const mostDocuments = 28
const mostBytes = 2000

const name = process.argv[2] ?? ''
const target = join(fixtures, name)
await rm(target, { recursive: true, force: true })
const folder = await mkdtemp(join(tmpdir(), 'cloudoc-fixture-'))
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), durable: false, log: () => {} })
const app = await createApp({
  database: postgres.target,
  blobDir: join(folder, 'blobs'),
  log: createLog('silent'),
  allowUnsafeDatabase: true,
})
try {
  await setUp(app, { password: demoPassword, now: Date.now() })
  let documents = 0
  await fillWithDemo({
    adminPassword: demoPassword,
    emptyDocument,
    report: () => {},
    async send({ method, path, headers, body }) {
      if (method === 'PUT') {
        if (documents >= mostDocuments || (body?.length ?? 0) > mostBytes) {
          return { result: codes.success.code, data: null, msg: '' }
        }
        documents += 1
      }
      const payload = typeof body === 'string' || body === undefined ? body : Buffer.from(body)
      return (await app.http.inject({ method, url: path, headers, ...(payload !== undefined && { payload }) })).json()
    },
  })
  const clients = new Map(
    await Promise.all(viewers.map(async (viewer) => [viewer, await signInTo(app.http, viewer, demoPassword)] as const)),
  )
  for (const [viewer, client] of clients) {
    const { list } = await client.call('getRootFolderSetting', {})
    const own = list.find((root) => root.kind === 'personal')?.fId ?? 0
    const { folderId } = await client.call('folderCreate', { parentId: own, folderName: '草稿' })
    for (const text of ['第一稿', '第二稿']) await client.upload(folderId, '报告.txt', `${viewer} ${text}`, 'version')
    const edited = await client.upload(folderId, '编辑中.txt', `${viewer} 编辑中`, 'refuse')
    await client.call('fileEditLock', { fileId: edited })
    const deleted = await client.upload(folderId, '旧稿.txt', `${viewer} 旧稿`, 'refuse')
    await client.call('fileOrFolderDelete', { fileIdArray: [deleted] })
  }
  await app.settle()
  const seen: Record<string, string[]> = {}
  for (const [viewer, client] of clients) seen[viewer] = await visibleTo(client)
  // A private key must not be in the sources. A server without one makes a new one.
  await app.db.deleteFrom('secret').where('name', 'like', 'rsa-%').execute()
  const { path, manifest } = await backUp({
    ...installation,
    target: postgres.target,
    store: app.blobs,
    folder: target,
    product: 'fixture',
  })
  await rm(join(target, 'objects', 'incoming'), { recursive: true })
  await writeFile(join(target, 'seen.json'), `${JSON.stringify(seen, null, 2)}\n`)
  process.stdout.write(`${path}: schema ${manifest.schema}, ${manifest.objects.count} contents\n`)
} finally {
  await app.close()
  await postgres.stop()
  await rm(folder, { recursive: true })
}
