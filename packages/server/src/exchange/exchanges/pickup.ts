/*
 * Picking up what was received: the password, then the files in a folder of the receiver, placed like an upload. From
 * then on they are files like any other: scanned, checked by the rules of sensitive content, with the secret level that
 * they had.
 */
import { denial, exchangeLimits, fail, gates } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import { actorOf, type StagedContext, type WriteContext } from '../../core/call/context.ts'
import type { Db, Tx } from '../../core/db/database.ts'
import { placing } from '../../drive/content/index.ts'
import { accessTo, checkDepth, holderOf, insertFolder, itemEvent, lockItem, withName } from '../../drive/tree/index.ts'
import { verifyPassword } from '../../people/auth/index.ts'
import type { Manifest } from './messages.ts'

/** The folder for what is received, in the library of the receiver. */
const inboxName = '跨网收件'

interface Received {
  readonly id: number
  readonly arrival_id: number
  readonly state: string
  readonly expires_at: number
  readonly item_id: number | null
  readonly item_type: 1 | 2 | null
  readonly locked_until: number
  readonly manifest: Manifest
}

async function readReceived(db: Db, id: number): Promise<Received> {
  const { rows } = await sql<Received>`
    select r.id, r.arrival_id, r.state, r.expires_at, r.item_id, r.item_type, r.locked_until, a.manifest
    from exchange_received r join exchange_arrival a on a.id = r.arrival_id where r.id = ${id}`.execute(db)
  return rows[0] ?? fail('notFound')
}

/**
 * Counts an attempt before the password is compared, so that attempts at the same moment count too. The last one that is
 * permitted locks it for a while.
 */
async function takeAttempt(db: Db, id: number, now: number): Promise<void> {
  const { wrongPasswords, lockMs } = exchangeLimits
  const { rows } = await sql`
    update exchange_received set
      wrong = case when wrong + 1 >= ${wrongPasswords} then 0 else wrong + 1 end,
      locked_until = case when wrong + 1 >= ${wrongPasswords} then ${now + lockMs} else locked_until end
    where id = ${id} and locked_until <= ${now} returning 1`.execute(db)
  if (rows.length === 0)
    fail('accountLocked', {
      zh: '密码错误次数过多，请 10 分钟后再试',
      en: 'too many wrong passwords: try again in 10 minutes',
    })
}

const placeOf = ({ item_id, item_type }: Pick<Received, 'item_id' | 'item_type'>) => ({
  fileId: item_type === 1 ? (item_id ?? 0) : 0,
  folderId: item_type === 2 ? (item_id ?? 0) : 0,
})

/** Picks up; repeated, it answers where the files are. */
export async function pickUp(
  context: StagedContext,
  { approveId, pwd, folderId }: { readonly approveId: number; readonly pwd: string; readonly folderId: number },
): Promise<{ fileId: number; folderId: number }> {
  const before = await readReceived(context.db, approveId)
  if (before.state === 'waiting' && before.manifest.passwordHash !== '') {
    await takeAttempt(context.db, approveId, context.now)
    if (!(await verifyPassword(pwd, before.manifest.passwordHash))) return fail('wrongPassword')
  }
  return context.commit(async (write) => {
    const { tx, now } = write
    await sql`select 1 from exchange_received where id = ${approveId} for update`.execute(tx)
    const received = await readReceived(tx, approveId)
    if (received.state === 'fetched') return placeOf(received)
    if (received.state !== 'waiting' || received.expires_at <= now) return fail('alreadyHandled')
    const folder = folderId === 0 ? await inboxOf(write) : write.item({ fType: 2, fId: folderId })
    const item = await place(write, folder, received)
    await sql`
      update exchange_received set state = 'fetched', fetched_at = ${now}, item_id = ${item.id}, item_type = ${item.type},
        wrong = 0, locked_until = 0
      where id = ${approveId}`.execute(tx)
    await sql`
      delete from exchange_arrival_content c where c.arrival_id = ${received.arrival_id} and not exists (
        select 1 from exchange_received r where r.arrival_id = c.arrival_id and r.state = 'waiting')`.execute(tx)
    write.audit({ number: received.manifest.number, items: received.manifest.files.length })
    return placeOf({ item_id: item.id, item_type: item.type })
  })
}

/** The folder for what the caller receives, in their own library. It is made when it is first needed. */
async function inboxOf(context: WriteContext): Promise<Access> {
  const { tx } = context
  const actor = actorOf(context)
  const library = await tx
    .selectFrom('library')
    .select('id')
    .where('owner_id', '=', actor.accountId)
    .where('kind', '=', 'personal')
    .executeTakeFirst()
  if (library === undefined) return fail('badRequest', { zh: '请选择存放的文件夹', en: 'folderId: choose a folder' })
  await lockItem(tx, library.id, 'hold')
  const parent = await mayUpload(context, library.id)
  const known = await holderOf(tx, library.id, inboxName)
  if (known?.f_type === 2) {
    await lockItem(tx, known.id, 'hold')
    return mayUpload(context, known.id)
  }
  return mayUpload(context, await makeFolder(context, parent, inboxName))
}

async function mayUpload(context: WriteContext, folderId: number): Promise<Access> {
  const access = await accessTo(context.tx, actorOf(context), { fType: 2, fId: folderId }, context.now)
  if (access === undefined) return fail('notFound')
  const refusal = denial(gates.upload, access.facts)
  return refusal === undefined ? access : fail(refusal)
}

async function makeFolder(context: WriteContext, parent: Access, name: string): Promise<number> {
  const { tx, now } = context
  const actor = actorOf(context)
  checkDepth(parent.path.length + 1)
  const libraryId = parent.library.id
  const made = await withName(tx, { parentId: parent.row.id, name, fType: 2 }, 'keepBoth', async (free) => ({
    id: await insertFolder(tx, { libraryId, parentId: parent.row.id, name: free, accountId: actor.accountId, now }),
    name: free,
  }))
  if (made === undefined) return fail('alreadyExists')
  const row = { id: made.id, library_id: libraryId, parent_id: parent.row.id, f_type: 2, name: made.name } as const
  context.event(itemEvent({ ...row, version: 0, size: 0, created_by: actor.accountId }, 'add', actor.name))
  return made.id
}

async function contentsOf(tx: Tx, arrivalId: number) {
  const { rows } = await sql<{ sha256: Buffer; size: number; key: string }>`
    select b.sha256, b.size, b.key from exchange_arrival_content c join blob b on b.id = c.blob_id
    where c.arrival_id = ${arrivalId} for key share of b`.execute(tx)
  return new Map(
    rows.map((row) => [row.sha256.toString('hex'), { ...row, sums: Buffer.alloc(0), keptAt: performance.now() }]),
  )
}

/** Places the files: one alone in the folder itself, several in a folder of their own with the folders they had. */
async function place(
  context: WriteContext,
  folder: Access,
  { arrival_id: arrivalId, manifest }: Received,
): Promise<{ readonly id: number; readonly type: 1 | 2 }> {
  const contents = await contentsOf(context.tx, arrivalId)
  const [first, second] = manifest.files
  const isSingle = first !== undefined && second === undefined && first.path === ''
  const topName = manifest.files.every(({ path }) => path.split('/')[0] === first?.path.split('/')[0])
    ? (first?.path.split('/')[0] ?? '')
    : ''
  const top = isSingle
    ? folder
    : await mayUpload(context, await makeFolder(context, folder, folderName(topName, manifest)))
  const folders = new Map<string, Access>([['', top], ...(topName === '' ? [] : [[`${topName}/`, top] as const])])
  const folderAt = async (path: string): Promise<Access> => {
    const known = folders.get(path)
    if (known !== undefined) return known
    const parts = path.slice(0, -1).split('/')
    const name = parts.pop() ?? ''
    const parent = await folderAt(parts.length === 0 ? '' : `${parts.join('/')}/`)
    const made = await mayUpload(context, await makeFolder(context, parent, name))
    folders.set(path, made)
    return made
  }
  let made = 0
  for (const { path, name, sha256, secretLevel } of manifest.files) {
    const target = await folderAt(path)
    const content = contents.get(sha256) ?? fail('versionMissing')
    const file = { folderId: target.row.id, name, conflict: 'keepBoth', secretLevel } as const
    made = (await placing.alone({ ...context, item: () => target }, { file, content })).fileId
  }
  return isSingle ? { id: made, type: 1 } : { id: top.row.id, type: 2 }
}

const folderName = (topName: string, { title, number }: Manifest): string =>
  topName === '' ? `${title.replace(/\.[^.]*$/, '').slice(0, 80)} ${number}` : topName
