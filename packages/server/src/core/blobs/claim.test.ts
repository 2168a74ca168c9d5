// A server whose store belongs to another installation is refused. A store that was moved is accepted.
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openWorld, sharedS3 } from '../../../test/harness.ts'
import { makeBucket, openTestStore } from '../../../test/s3.ts'
import { claimStore, disownStore } from './claim.ts'
import { openLocalStore } from './local-store.ts'
import type { BlobStore } from './store.ts'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cloudoc-claim-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const stores: [string, () => Promise<BlobStore>][] = [
  ['a folder', async () => openLocalStore(await newFolder())],
  ['S3', async () => openTestStore(await sharedS3(), await makeBucket())],
]

test.each(stores)(
  'in %s each installation marks its store, and no other takes it or leaves it',
  async (_kind, open) => {
    const [one, other] = [await open(), await open()]
    const [ours, theirs] = [
      await openWorld({ elected: false, openBlobs: () => Promise.resolve(one) }),
      await openWorld({ elected: false }),
    ]
    await Promise.all([claimStore(ours.app.db, one, 'ours'), claimStore(ours.app.db, one, 'ours')])
    expect(await one.markedFor?.()).toBe('ours')
    await claimStore(ours.app.db, one, 'ours')
    // A second server with its own folder, before the first upload and after it.
    await expect(claimStore(ours.app.db, other, 'ours')).rejects.toThrow(
      /does not hold the contents of this installation/,
    )
    await expect(claimStore(theirs.app.db, one, 'theirs')).rejects.toThrow(/holds the contents of another installation/)
    const anna = await ours.person('anna')
    await anna.upload(anna.library, '甲.txt', '甲')
    await expect(claimStore(ours.app.db, other, 'ours')).rejects.toThrow(
      /does not hold the contents of this installation/,
    )
    expect(await other.markedFor?.()).toBeUndefined()
    await claimStore(ours.app.db, one, 'ours')
    expect(await one.markedFor?.()).toBe('ours')
    await other.close()
  },
)

test('a store that was copied, or filled by a restore, is taken up as it is', async () => {
  const [from, to] = [await newFolder(), await newFolder()]
  const one = await openLocalStore(from)
  const world = await openWorld({ elected: false, openBlobs: () => Promise.resolve(one) })
  const anna = await world.person('anna')
  await anna.upload(anna.library, '甲.txt', '甲')
  await cp(from, to, { recursive: true })
  // To a new database these contents belong to another installation, even if the store has no mark.
  const fresh = await openWorld({ elected: false })
  await expect(claimStore(fresh.app.db, one, 'theirs')).rejects.toThrow(/of which this new database knows nothing/)
  expect(await one.markedFor?.()).toBeUndefined()
  await claimStore(world.app.db, one, 'ours')
  const copied = await openLocalStore(to)
  onTestFinished(() => copied.close())
  await claimStore(world.app.db, copied, 'ours')
  expect(await copied.markedFor?.()).toBe('ours')
  // A restored installation accepts the store that it was restored into.
  await disownStore(world.app.db)
  await claimStore(world.app.db, copied, 'restored')
  expect(await copied.markedFor?.()).toBe('restored')
  await claimStore(world.app.db, copied, 'restored')
})
