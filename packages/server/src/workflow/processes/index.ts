// Processes: documents that go from person to person ([R263] to [R268]). The engine decides (run.ts).
import { features } from '@cloudoc/contract'
import { denial, fail, gates, ItemStatusBit, itemStatus, newProcess, roadOf, type Template } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { AccountActor } from '../../core/actor.ts'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { accessToMany, addVersion, itemEvent, lockItem } from '../../drive/tree/index.ts'
import { bodyOf, namedRoad } from '../templates/index.ts'
import { loadWorld } from '../world.ts'
import { actingOf, checkForm, checkPeople, type Deciding, decide } from './checks.ts'
import { decisionHandlers } from './decision-handlers.ts'
import { launcherHandlers } from './launcher-handlers.ts'
import type { ProcessRow } from './process-row.ts'
import { archivedOf, countProcesses, listProcesses, processDetail, processObjects, removedProcess } from './read.ts'
import { basisOf, lockProcess, markItem, perform, searchTextOf, templateOf } from './run.ts'

export { reminderOf } from './launcher-handlers.ts'

interface Content {
  readonly templateId: number
  readonly title: string
  readonly form: Readonly<Record<string, string>>
  readonly comments: string
  readonly chosen: Readonly<Record<string, readonly number[]>>
  readonly folderId: number
}

/** The columns of a draft from what its launcher sends. */
const columnsOf = (content: Content, fileName: string) => ({
  template_id: content.templateId,
  title: content.title.trim(),
  search_text: searchTextOf(content.title, fileName),
  form: JSON.stringify(content.form),
  comments: content.comments,
  chosen: JSON.stringify(content.chosen),
  folder_id: Math.max(0, content.folderId),
})

async function checkTemplateOf(context: WriteContext, templateId: number): Promise<Template> {
  return (await templateOf(context.tx, { template_id: templateId, template_version: 0 })).body
}

const needsFolder = (template: Template): boolean =>
  template.nodes.some((node) => node.type === 'archive' && node.folderId <= 0)

/** The archive folders have to be there, and the launcher has to be able to put something into them. */
async function checkFolders(context: WriteContext, template: Template, folderId: number): Promise<void> {
  if (needsFolder(template) && folderId <= 0) fail('noArchiveFolder')
  const ids = template.nodes.flatMap((node) =>
    node.type === 'archive' ? [node.folderId > 0 ? node.folderId : folderId] : [],
  )
  if (ids.length === 0) return
  const found = await accessToMany(context.tx, actorOf(context), ids, context.now)
  for (const id of ids) {
    const folder = found.get(id)
    if (folder === undefined || folder.row.f_type !== 2 || denial(gates.see, folder.facts) !== undefined)
      fail('noArchiveFolder')
    else if (denial(gates.upload, folder.facts) !== undefined)
      fail('noPermission', { zh: '你没有归档文件夹的上传权限', en: 'you may not put files into the archive folder' })
  }
}

export function processHandlers({ now: clock }: Pick<Services, 'now'>) {
  const objects = processObjects(clock)

  return implement(features.processes.calls, {
    getProcessList: (context, input) => listProcesses(context.db, actorOf(context), input, context.now),
    getProcessCount: (context, { list }) => countProcesses(context.db, actorOf(context), list, context.now),

    getProcess: (context, { processId }) =>
      processDetail(context.db, actorOf(context), processId, context.object(objects, processId).facts, context.now),

    getRemovedProcess: (context, { processId }) => removedProcess(context.db, actorOf(context), processId, context.now),

    async getProcessRoad(context, { templateId, fileType, form }) {
      const { db, now } = context
      const { accountId } = actorOf(context)
      const template = await db
        .selectFrom('workflow_template')
        .select(['version', 'enabled', 'deleted_at'])
        .where('id', '=', templateId)
        .executeTakeFirst()
      if (template === undefined || !template.enabled || template.deleted_at !== null) return fail('notFound')
      const body = (await bodyOf(db, templateId, template.version)) ?? fail('notFound')
      const asked = { template: body, launcherId: accountId, people: [], itemId: null, form, fileType, now }
      const road = roadOf(body, accountId, await loadWorld(db, asked))
      return { steps: await namedRoad(db, body, road.steps) }
    },

    async createProcess(context, { fileId, ...content }) {
      const { tx, now } = context
      const actor = actorOf(context)
      // A process without a file passes no gate of an item: the rules of that gate hold here too (X51).
      if (actor.isGuest) return fail('noPermission')
      if (actor.settings.setting.process_level < 2) return fail('noPermission', 'process_level')
      await checkTemplateOf(context, content.templateId)
      await checkPeople(context, Object.values(content.chosen).flat())
      const file = fileId === undefined ? undefined : context.item({ fType: 1, fId: fileId }).row
      const version = file?.version ?? 0
      const state = newProcess(actor.accountId, basisOf(version, content.form))
      const made = await tx
        .insertInto('process')
        .values({
          ...columnsOf(content, file?.name ?? ''),
          ...{ launcher_id: actor.accountId, item_id: file?.id ?? null, item_name: file?.name ?? '' },
          ...{ item_version: version, state: JSON.stringify(state), created_at: now, people: [actor.accountId] },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('process_player')
        .values({
          ...{ process_id: made.id, account_id: actor.accountId, launched: true, status: 'draft', arrived_at: now },
        })
        .execute()
      if (file !== undefined) {
        const row = await markItem(context, made.id, file.id, version, 'draft')
        if (row !== undefined) context.event(itemEvent(row, 'edit', actor.name))
      }
      context.audit({ processId: made.id })
      return { processId: made.id }
    },

    async updateProcess(context, { processId, ...content }) {
      const { tx } = context
      const row = await lockProcess(tx, processId)
      await checkTemplateOf(context, content.templateId)
      await checkPeople(context, Object.values(content.chosen).flat())
      await tx.updateTable('process').set(columnsOf(content, row.item_name)).where('id', '=', processId).execute()
      return {}
    },

    async deleteProcess(context, { processId }) {
      const { tx } = context
      const row = await lockProcess(tx, processId)
      if (row.item_id !== null) {
        const file = await markItem(context, processId, row.item_id, 0, 'deleted')
        if (file !== undefined) context.event(itemEvent(file, 'edit', actorOf(context).name))
      }
      await tx.deleteFrom('process').where('id', '=', processId).execute()
      return {}
    },

    async launchProcess(context, { processId }) {
      const { tx, now } = context
      const row = await lockProcess(tx, processId)
      const { body } = await templateOf(tx, row)
      if (row.title.trim() === '') return fail('badRequest', { zh: '请填写标题', en: 'title: a process needs one' })
      checkForm(body, row.form)
      await checkFolders(context, body, row.folder_id)
      const version = await checkAttachment(context, row)
      const fresh = { ...row, item_version: version, state: newProcess(row.launcher_id, basisOf(version, row.form)) }
      await perform(actingOf(context), fresh, {
        act: 'launch',
        choose: row.chosen,
        folderId: row.folder_id,
        ...(row.comments !== '' && { comments: row.comments }),
      })
      context.audit({ processId })
      await tx
        .updateTable('process_player')
        .set({ arrived_at: now })
        .where('process_id', '=', processId)
        .where('account_id', '=', row.launcher_id)
        .execute()
      return {}
    },

    ...decisionHandlers(),
    updateProcessFile: (context, { fileId, ...input }) => replaceFile(context, input, fileId),
    ...launcherHandlers(),

    async commentProcess(context, { processId, comments }) {
      const row = await lockProcess(context.tx, processId)
      const { accountId } = actorOf(context)
      await perform(actingOf(context), row, { act: 'comment', account: accountId, comments })
      return {}
    },

    async getProcessFiles(context, { processId }) {
      const { db, now } = context
      const actor = actorOf(context)
      const { rows } = await sql<ProcessRow>`select * from process where id = ${processId}`.execute(db)
      const row = rows[0] ?? fail('notFound')
      const archived = await archivedOf(db, actor, row, now)
      return {
        list: [
          ...(await versionsOf(context, actor, row)),
          ...archived.map((file) => ({ ...file, version: 1, isArchived: true })),
        ],
      }
    },
  })
}

/** The attachment must still be there, and launching is still up to its launcher. Returns its version. */
async function checkAttachment(context: WriteContext, row: ProcessRow): Promise<number> {
  if (row.item_id === null) {
    if (row.item_version > 0) fail('notFound', { zh: '附件已被删除', en: 'the attachment is gone' })
    return 0
  }
  await lockItem(context.tx, row.item_id, 'change')
  const found = await accessToMany(context.tx, actorOf(context), [row.item_id], context.now)
  const access = found.get(row.item_id) ?? fail('notFound')
  // Its own draft is the only process that it may be in.
  const isOwn = access.row.process_id === row.id
  const status = itemStatus(access.facts.status & (isOwn ? ~ItemStatusBit.workflowUnsubmitted : ~0))
  const facts = { ...access.facts, status, inProcess: access.facts.inProcess && !isOwn }
  const refusal = denial(gates.launchProcess, facts)
  if (refusal !== undefined) return fail(refusal)
  return access.row.version
}

/** Replaces the attachment by the content of another file of the same type, as its next version ([R265]). */
async function replaceFile(context: WriteContext, input: Deciding, fileId: number): Promise<Record<string, never>> {
  const { tx, now } = context
  const actor = actorOf(context)
  const process = await lockProcess(tx, input.processId)
  const itemId = process.item_id ?? fail('notFound', { zh: '流程没有附件', en: 'the process has no attachment' })
  const source = context.item({ fType: 1, fId: fileId }).row
  await lockItem(tx, itemId, 'change')
  const { rows } = await sql<{ id: number; libraryId: number; ext: string; blobId: number | null; size: number }>`
    select i.id, i.library_id as "libraryId", i.ext, v.blob_id as "blobId", v.size from item i
    left join version v on v.item_id = ${source.id} and v.number = ${source.version}
    where i.id = ${itemId} and i.deleted_at is null`.execute(tx)
  const file = rows[0] ?? fail('notFound')
  if (file.ext.toLowerCase() !== source.ext.toLowerCase())
    return fail('typeRestricted', { zh: '替换的附件须是同一类型', en: 'the new attachment must be of the same type' })
  const blobId = file.blobId ?? fail('versionMissing')
  const author = { accountId: actor.accountId, name: actor.name, outsider: null }
  const version = await addVersion(tx, file, { blobId, size: source.size, author, now })
  const basis = basisOf(version, process.form)
  return decide(context, input, 'replace', { basis }, { itemVersion: version })
}

/** The versions of the attachment that the course names, as far as the caller sees the file. */
async function versionsOf({ db, now }: Context, actor: AccountActor, row: ProcessRow) {
  const itemId = row.item_id
  if (itemId === null) return []
  const access = (await accessToMany(db, actor, [itemId], now)).get(itemId)
  if (access === undefined || denial(gates.see, access.facts) !== undefined) return []
  const { rows } = await sql<{ version: number }>`
    select distinct version from process_entry where process_id = ${row.id} and version > 0 order by version`.execute(
    db,
  )
  return rows.map(({ version }) => ({ fileId: itemId, fName: access.row.name, version, isArchived: false }))
}
