// Launching ([R274], [R276]): the file becomes the base revision with the places of all signers, and waits for the first.
import { Readable } from 'node:stream'
import type { features, Parsed, Watermark } from '@cloudoc/contract'
import { type CodeName, fail, ResultError, SignState } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import type { Contents } from '../../core/blobs/contents.ts'
import { actorOf, type StagedContext, type WriteContext } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import type { Services } from '../../core/services.ts'
import {
  type BaseLayout,
  makeBase,
  type NewField,
  type NotSignable,
  UnsuitableForSigning,
} from '../../documents/signing/index.ts'
import {
  checkComing,
  checkDisk,
  contentRow,
  persist,
  servable,
  storeAtomically,
  storedVersions,
} from '../../drive/content/index.ts'
import { checkTemplate, readWatermark } from '../../drive/watermarks/index.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { knownOf } from '../../people/organisation/index.ts'
import { currentAuthority } from '../certificates/index.ts'
import { askedBy, type EmptyRole, rolesWithoutHolder } from './askable.ts'
import { checkOutsiders, type ExternalInput, mailOutsiders } from './outsiders.ts'
import { rehearse } from './rehearsal.ts'
import { changed, lockActivity, markItem, notify, record, signersOf } from './rows.ts'

const yearMs = 366 * 24 * 60 * 60_000

/** What a launch needs. */
export type LaunchParts = Pick<Services, 'blobs' | 'settings' | 'secrets' | 'office' | 'publicUrl'> & {
  readonly contents: Contents
}

/** A launch. */
export type ToLaunch = Parsed<(typeof features.signing.calls)['launchSign']>
type Places = ToLaunch['singerList'][number]['places']

const words: Readonly<Record<NotSignable, readonly [CodeName, { readonly zh: string; readonly en: string }]>> = {
  signed: [
    'conversionUnsupported',
    {
      zh: '这个 PDF 已有数字签名，请用没有签名的原件发起',
      en: 'the PDF is signed already: launch its unsigned original',
    },
  ],
  encrypted: [
    'sourceEncrypted',
    { zh: '这个 PDF 有密码，请先去掉密码', en: 'the PDF is encrypted: remove its password first' },
  ],
  broken: ['conversionFailed', { zh: '这个 PDF 已损坏，请重新导出', en: 'the PDF is damaged: export it again' }],
  empty: ['conversionFailed', { zh: '这个 PDF 没有页', en: 'the PDF has no page' }],
  place: ['badRequest', { zh: '签署位置所在的页不存在', en: 'places: a page that is not there' }],
  large: ['conversionUnsupported', { zh: '文件超过 150 MB，不能签署', en: 'larger than 150 MB: it cannot be signed' }],
}

/** The whole content. */
export async function bytesOf(contents: Contents, content: Parameters<Contents['open']>[0]): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of await contents.open(content)) parts.push(part)
  return Buffer.concat(parts)
}

/** The file as PDF. */
async function pdfOf(
  context: StagedContext,
  { contents, office: engine }: LaunchParts,
  access: Access,
): Promise<Buffer> {
  const office = actorOf(context).settings.inner.page_engine ? engine : undefined
  const [found] = await storedVersions(context.db, [{ fileId: access.row.id, version: access.row.version }])
  if (found === undefined) return fail('versionMissing')
  const stored = servable(found)
  const { ext } = access.row
  if (ext !== 'pdf' && office === undefined)
    return fail('conversionUnsupported', {
      zh: 'Word 文件要先转成 PDF：请管理员在服务器上安装并打开 LibreOffice 或其 WebAssembly 版，或自己导出为 PDF 后发起',
      en: 'documents of Word are made a PDF first: an administrator installs LibreOffice or its WebAssembly build on the server and switches it on, or you export it as PDF',
    })
  const bytes = await bytesOf(contents, stored)
  if (ext === 'pdf' || office === undefined) return bytes
  try {
    return await office.toPdf({ content: Readable.from([bytes], { objectMode: false }), ext })
  } catch {
    return fail('conversionFailed')
  }
}

interface Made {
  readonly bytes: Buffer
  readonly layout: BaseLayout
}

async function baseOf(pdf: Buffer, { singerList }: ToLaunch, watermark?: Watermark): Promise<Made> {
  const fields = singerList.flatMap(({ places }, signer) => {
    // Whoever signs has at least one signature, beside dates and texts.
    const signs = places.some(({ kind }) => kind === 'signature' || kind === 'seal')
    const all: readonly (Places[number] | undefined)[] = signs ? places : [undefined, ...places]
    return all.map((place, n): NewField => {
      const kind = place?.kind === 'date' || place?.kind === 'text' ? 'text' : 'signature'
      const spread = kind === 'signature' ? (place?.spread ?? 'one') : 'one'
      const at = place && { page: place.page, x: place.x, y: place.y, width: place.width, height: place.height }
      return { name: `cloudoc-${signer + 1}-${n + 1}`, kind, place: at, spread }
    })
  })
  try {
    return await makeBase(pdf, { fields, watermark })
  } catch (error) {
    if (!(error instanceof UnsuitableForSigning)) throw error
    const [code, detail] = words[error.why]
    return fail(code, detail)
  }
}

const peopleAmong = (list: ToLaunch['singerList']): number[] => list.flatMap(({ userId }) => userId ?? [])
const rolesAmong = (list: ToLaunch['singerList']): number[] => list.flatMap(({ roleId }) => roleId ?? [])

function checkInput({ title, singerList, deadline }: ToLaunch, now: number): void {
  if (title.trim() === '') fail('badRequest', { zh: '请填写标题', en: 'title: it must not be empty' })
  const ids = peopleAmong(singerList)
  if (
    singerList.some(
      ({ userId, roleId, outside }) => [userId, roleId, outside].filter((x) => x !== undefined).length !== 1,
    )
  )
    fail('badRequest', {
      zh: '签署人要么是同事，要么是角色，要么是外部人员',
      en: 'singerList: either userId, roleId or outside',
    })
  const roles = rolesAmong(singerList)
  if (new Set(ids).size < ids.length || new Set(roles).size < roles.length)
    fail('badRequest', { zh: '同一个人或角色只能选一次', en: 'singerList: the same person or role twice' })
  for (const { outside, places } of singerList)
    if (outside !== undefined && places.some(({ kind }) => kind === 'seal'))
      fail('badRequest', { zh: '外部签署人不能用公司印章', en: 'singerList: a seal is of the company only' })
  if (deadline !== null && (deadline <= now || deadline > now + yearMs))
    fail('badRequest', { zh: '最晚时间须在现在之后一年以内', en: 'deadline: within a year from now' })
}

/** Refuses signers who are not there, or whose secret level is below that of the file ([R233], [R276]). */
export async function checkSigners(
  context: WriteContext,
  { settings }: Pick<Services, 'settings'>,
  ids: readonly number[],
  level: number,
): Promise<void> {
  const { tx, now } = context
  const subjects = ids.map((subjectId) => ({ subjectType: 'user' as const, subjectId }))
  const known = await knownOf(tx, actorOf(context), subjects)
  const accounts = await loadAccounts(tx, settings, ids, now)
  const seen = new Set(known.map(({ subjectId }) => subjectId))
  if (ids.some((id) => !seen.has(id) || !accounts.has(id)))
    return fail('notFound', { zh: '有签署人不存在或已离开', en: 'singerList: somebody who is not there, or has left' })
  const below = ids.flatMap((id) => accounts.get(id) ?? []).filter(({ secretLevel }) => secretLevel < level)
  const names = (separator: string): string => below.map(({ name }) => name).join(separator)
  if (below.length > 0)
    return fail('secretLevel', {
      zh: `${names('、')} 的密级低于文件密级，不能签署`,
      en: `${names(', ')}: the secret level is below that of the file`,
    })
}

/** Refuses roles that the launcher does not know, or that nobody could sign for. Returns their names. */
async function checkRoles(
  context: WriteContext,
  list: ToLaunch['singerList'],
  level: number,
): Promise<ReadonlyMap<number, string>> {
  const { tx, now } = context
  const roleIds = rolesAmong(list)
  if (roleIds.length === 0) return new Map()
  const subjects = roleIds.map((subjectId) => ({ subjectType: 'role' as const, subjectId }))
  const known = await knownOf(tx, actorOf(context), subjects)
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from role where id = any(${known.map(({ subjectId }) => subjectId)}) for share`.execute(tx)
  if (rows.length < roleIds.length)
    return fail('notFound', { zh: '有角色不存在', en: 'singerList: a role that is not there' })
  const empty = await rolesWithoutHolder(tx, roleIds, { level, taken: peopleAmong(list), now })
  if (empty.length > 0) return refuseRoles(empty)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Says why nobody can sign for roles, and what to do. */
function refuseRoles(empty: readonly EmptyRole[]): never {
  const names = (some: readonly EmptyRole[]) => some.map(({ name }) => name)
  const [none, unfit] = [names(empty.filter(({ isEmpty }) => isEmpty)), names(empty.filter(({ isEmpty }) => !isEmpty))]
  const zh = [
    ...(none.length === 0 ? [] : [`角色“${none.join('、')}”还没有成员`]),
    ...(unfit.length === 0 ? [] : [`角色“${unfit.join('、')}”里没有密级足够、又不是签署人的人`]),
  ]
  const en = [
    ...(none.length === 0 ? [] : [`the role “${none.join(', ')}” has no members`]),
    ...(unfit.length === 0 ? [] : [`nobody in the role “${unfit.join(', ')}” may see the file or is not a signer yet`]),
  ]
  return fail('badRequest', {
    zh: `${zh.join('；')}。请换一个角色、直接选人，或请管理员给角色添加成员`,
    en: `${en.join('; ')}. Choose another role or people, or ask an administrator to add members to the role`,
  })
}

/** What the page of evidence takes, about. */
const evidenceBytes = 64 * 1024

const archiveWords: Partial<Record<CodeName, { readonly zh: string; readonly en: string }>> = {
  typeRestricted: { zh: '归档文件夹不收 PDF 文件', en: 'the archive folder takes no PDF' },
  uploadSizeExceeded: {
    zh: '签署后的文件超过单个文件的大小上限',
    en: 'the signed file is larger than one file may be',
  },
  fileSizeExceeded: {
    zh: '签署后的文件超过归档文件夹的单个文件上限',
    en: 'the signed file is larger than the folder allows',
  },
}

/**
 * Refuses an archive folder without room for the signed file: after the last signature it would be too late. The space is
 * asked for again when the file is archived.
 */
async function checkArchive(
  context: StagedContext,
  { blobs }: Pick<LaunchParts, 'blobs'>,
  folderId: number,
  size: number,
): Promise<void> {
  const file = { folderId, name: '签署.pdf', conflict: 'keepBoth' as const, size }
  try {
    await checkComing(context, context.db, file)
    await checkDisk(blobs, size)
  } catch (error) {
    if (!(error instanceof ResultError)) throw error
    const megabytes = Math.ceil(size / (1024 * 1024))
    const said = archiveWords[error.code] ?? {
      zh: `归档文件夹放不下签署后的文件（约 ${megabytes} MB）`,
      en: `the archive folder has no room for the signed file (about ${megabytes} MB)`,
    }
    fail(error.code, {
      zh: `${said.zh}，请换一个归档文件夹，或先腾出空间`,
      en: `${said.en}: choose another archive folder or make room first`,
    })
  }
}

/** Launches a signing process. Returns its id. */
export async function launch(context: StagedContext, parts: LaunchParts, asked: ToLaunch): Promise<number> {
  const access = context.item({ fType: 1, fId: asked.fileId })
  checkInput(asked, context.now)
  const set = await parts.settings.current()
  const invited = asked.singerList.flatMap(({ outside }) => outside ?? [])
  if (invited.length > 0 && !set.setting.sign_outside)
    return fail('noPermission', { zh: '公司没有开放外部签署', en: 'signers outside the company are switched off' })
  const outsiders = checkOutsiders(set, invited)
  const { protocol, host } = context.request
  const baseAddress = parts.publicUrl ?? `${protocol}://${host}`
  // Everything that could stop a signature is found out now: whether there is an authority, and a file that can be signed.
  await currentAuthority(context.db, context.now)
  const mark =
    asked.watermarkTemplateId === null
      ? undefined
      : await readWatermark(context, asked.watermarkTemplateId, access.facts.secretLevel)
  const base = await baseOf(await pdfOf(context, parts, access), asked, mark)
  const growth = await rehearse(context, parts, base)
  const signatures = base.layout.fields.filter(({ kind }) => kind === 'signature').length
  await checkArchive(context, parts, asked.archiveFolderId, base.bytes.length + signatures * growth + evidenceBytes)
  const content = await persist(await parts.blobs.stage(only(base.bytes)))
  return storeAtomically(context, parts.blobs, [content], async (write) => {
    const { tx, now } = write
    const locked = write.item({ fType: 1, fId: asked.fileId })
    if (locked.row.version !== access.row.version)
      return fail('fileConflict', { zh: '文件刚有新版本，请重新发起', en: 'the file has a new version: launch again' })
    if (asked.watermarkTemplateId !== null) await checkTemplate(tx, asked.watermarkTemplateId, actorOf(write).accountId)
    const level = locked.facts.secretLevel
    await checkSigners(write, parts, peopleAmong(asked.singerList), level)
    const roles = await checkRoles(write, asked.singerList, level)
    if (outsiders.length > 0 && level > 0)
      return fail('secretLevel', {
        zh: '有密级的文件不能请外部人员签署',
        en: 'a file with a secret level is not signed by people outside the company',
      })
    const blob = await contentRow(tx, content, now)
    const id = await insert(write, parts, asked, {
      access: locked,
      layout: base.layout,
      outsiders,
      roles,
      base: baseAddress,
      days: set.setting.sign_mail_days,
    })
    await tx
      .insertInto('sign_revision')
      .values({
        ...{ activity_id: id, number: 0, blob_id: blob.id, size: content.size, sha256: content.sha256 },
        created_at: now,
      })
      .execute()
    write.audit({ activityId: id })
    return { made: id, keys: new Set([blob.key]) }
  })
}

async function insert(
  write: WriteContext,
  parts: Pick<LaunchParts, 'secrets' | 'settings'>,
  asked: ToLaunch,
  {
    access,
    layout,
    outsiders,
    roles,
    base,
    days,
  }: {
    readonly access: Access
    readonly layout: BaseLayout
    readonly outsiders: readonly ExternalInput[]
    readonly roles: ReadonlyMap<number, string>
    readonly base: string
    readonly days: number
  },
): Promise<number> {
  const { tx, now } = write
  const { accountId, name } = actorOf(write)
  const { row, facts } = access
  const { id } = await tx
    .insertInto('sign_activity')
    .values({
      ...{ launcher_id: accountId, item_id: row.id, file_name: row.name, title: asked.title.trim() },
      ...{ file_level: facts.secretLevel, file_level_until: row.secret_until, comments: asked.comment },
      ...{ in_order: asked.order, watermark_template_id: asked.watermarkTemplateId, created_at: now },
      ...{ archive_folder_id: asked.archiveFolderId, state: 'running', deadline: asked.deadline },
      may_hand_on: asked.handOn,
      ...{ layout: sql`${JSON.stringify(layout)}::jsonb`, objects: layout.size },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const unplaced = [...outsiders]
  let number = 0
  for (const [place, { userId, roleId, outside, places }] of asked.singerList.entries()) {
    const state = place === 0 || !asked.order ? 'now' : 'next'
    const signer = await tx
      .insertInto('sign_signer')
      .values({
        ...{ activity_id: id, place, account_id: userId ?? null, state, role_id: roleId ?? null },
        role_name: roleId === undefined ? '' : (roles.get(roleId) ?? ''),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (outside !== undefined) {
      const one = unplaced.shift() ?? fail('badRequest')
      const reached = { locale: localeOf(write.request), base, life_days: days }
      await tx
        .insertInto('sign_outsider')
        .values({ signer_id: signer.id, ...one, ...reached })
        .execute()
    }
    const signs = places.some(({ kind }) => kind === 'signature' || kind === 'seal')
    const kinds = [...(signs ? [] : (['signature'] as const)), ...places.map(({ kind }) => kind)]
    const fields = kinds.map((kind) => ({ activity_id: id, signer_id: signer.id, kind, number: number++ }))
    await tx.insertInto('sign_field').values(fields).execute()
  }
  await record(tx, id, now, 'launched', { by: accountId, text: asked.comment })
  const event = await markItem(tx, row.id, true, name)
  if (event !== undefined) write.event(event)
  const asking = await lockActivity(tx, id)
  const first = (await signersOf(tx, id)).filter(({ state }) => state === 'now')
  const said = { by: name, at: now, comments: asked.comment }
  const people = await askedBy(tx, asking, first, now)
  for (const one of notify(asking, SignState.launched, people, said)) write.event(one)
  await mailOutsiders(write, parts, asking, { occasion: 'asked', signers: first })
  write.event(changed(id))
  return id
}

export async function* only(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
