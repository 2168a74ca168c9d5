// Processes: documents that go from person to person ([R263] to [R268]). The engine decides (run.ts).
import { features } from '@cloudoc/contract'
import {
  denial,
  fail,
  formProblems,
  gates,
  ItemStatusBit,
  itemStatus,
  newProcess,
  roadOf,
  type Template,
  type WorkflowAct,
} from '@cloudoc/domain'
import { sql } from 'kysely'
import type { AccountActor } from '../../core/actor.ts'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import { type PersonalEvent, personal } from '../../core/events.ts'
import type { Services } from '../../core/services.ts'
import { accessToMany, addVersion, itemEvent, lockItem } from '../../drive/tree/index.ts'
import { knownOf } from '../../people/organisation/index.ts'
import { bodyOf, namedRoad } from '../templates/index.ts'
import { loadWorld } from '../world.ts'
import { type Acting, type ProcessRow, standInsOf } from './process-row.ts'
import {
  archivedOf,
  countProcesses,
  listProcesses,
  processDetail,
  processObjects,
  removedProcess,
  seatFor,
} from './read.ts'
import { basisOf, type Changes, lockProcess, markItem, perform, searchTextOf, templateOf } from './run.ts'

/** Minimum interval between reminders by the launcher. */
const remindEveryMs = 2 * 60 * 60_000

interface Content {
  readonly templateId: number
  readonly title: string
  readonly form: Readonly<Record<string, string>>
  readonly comments: string
  readonly chosen: Readonly<Record<string, readonly number[]>>
  readonly folderId: number
}

const actingOf = (context: WriteContext): Acting => {
  const { accountId, name } = actorOf(context)
  return { tx: context.tx, now: context.now, actor: { accountId, name }, event: (event) => context.event(event) }
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

/** Nobody is named whom the caller may not see. */
async function checkPeople(context: WriteContext, ids: readonly number[]): Promise<void> {
  const asked = [...new Set(ids)].map((subjectId) => ({ subjectType: 'user', subjectId }) as const)
  const known = await knownOf(context.tx, actorOf(context), asked)
  if (known.length < asked.length)
    fail('notFound', { zh: '有人员不存在或已离开', en: 'somebody who is not there, or has left' })
}

async function checkTemplateOf(context: WriteContext, templateId: number): Promise<Template> {
  return (await templateOf(context.tx, { template_id: templateId, template_version: 0 })).body
}

/** Refuses what a form lacks, by the name of the field. */
function checkForm(template: Template, form: Readonly<Record<string, string>>): void {
  const [first] = formProblems(template, form)
  if (first === undefined) return
  const name = template.fields.find(({ id }) => id === first.field)?.name ?? first.field
  fail('badRequest', { zh: `请检查“${name}”`, en: `check “${name}”` })
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

interface Deciding {
  readonly processId: number
  readonly taskId: number
  readonly rev: number
  readonly comments: string
}

type Decision = Extract<WorkflowAct, { readonly task: number; readonly rev: number }>
type DecisionOf<A extends Decision['act']> = Extract<Decision, { readonly act: A }>
type Rest<A extends Decision['act']> = Omit<DecisionOf<A>, 'act' | 'task' | 'rev' | 'account' | 'by' | 'comments'>

/** Applies a decision of the caller, for themselves or as a stand-in. */
async function decide<A extends Decision['act']>(
  context: WriteContext,
  input: Deciding,
  act: A,
  rest: Rest<A>,
  changes: Changes = {},
): Promise<Record<string, never>> {
  const { tx, now } = context
  const { accountId } = actorOf(context)
  const row = await lockProcess(tx, input.processId)
  const account = await seatFor(tx, row, input.taskId, accountId, now)
  const { body } = await templateOf(tx, row)
  // Not through a stand-in either.
  if (account !== accountId && accountId === row.launcher_id && !body.launcherDecides)
    return fail('noPermission', { zh: '发起人不能处理自己的流程', en: 'the launcher does not decide about it' })
  const decided = {
    ...{ act, task: input.taskId, rev: input.rev, account, comments: input.comments },
    ...(account !== accountId && { by: accountId }),
    ...rest,
  } as unknown as WorkflowAct
  await perform(actingOf(context), row, decided, changes)
  context.audit({ processId: input.processId, taskId: input.taskId })
  return {}
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

    passNode: (context, { chosen, ...input }) => decide(context, input, 'pass', { choose: chosen }),
    failNode: (context, input) => decide(context, input, 'fail', {}),
    backNode: (context, { node, ...input }) => decide(context, input, 'back', { to: node }),

    async handOnNode(context, { userId, ...input }) {
      await checkPeople(context, [userId])
      return decide(context, input, 'handOn', { to: userId })
    },

    async addNodeHandler(context, { userId, place, ...input }) {
      await checkPeople(context, [userId])
      return decide(context, input, 'add', { to: userId, place })
    },

    async assignNode(context, { userIdArray, ...input }) {
      await checkPeople(context, userIdArray)
      return decide(context, input, 'assign', { to: userIdArray })
    },

    setProcessFolder: (context, { folderId, ...input }) =>
      decide(context, input, 'folder', folderId === undefined ? {} : { folderId }),

    async startNode(context, { title, form, chosen, ...input }) {
      const row = await lockProcess(context.tx, input.processId)
      const values = form ?? row.form
      checkForm((await templateOf(context.tx, row)).body, values)
      await checkPeople(context, Object.values(chosen).flat())
      const changes = { form: values, ...(title !== undefined && { title: title.trim() }) }
      const basis = basisOf(row.item_version, values)
      return decide(context, input, 'resubmit', { basis, choose: chosen }, changes)
    },

    updateProcessFile: (context, { fileId, ...input }) => replaceFile(context, input, fileId),

    async updateProcessTitle(context, { processId, title }) {
      const { tx } = context
      const row = await lockProcess(tx, processId)
      if (row.launcher_id !== actorOf(context).accountId) return fail('noPermission')
      if (row.status !== 'draft' && row.status !== 'back') return fail('alreadyHandled')
      await tx
        .updateTable('process')
        .set({ title: title.trim(), search_text: searchTextOf(title, row.item_name) })
        .where('id', '=', processId)
        .execute()
      return {}
    },

    async withdrawProcess(context, { processId, revision: rev, comments }) {
      const row = await lockProcess(context.tx, processId)
      await perform(actingOf(context), row, { act: 'withdraw', account: row.launcher_id, rev, comments })
      context.audit({ processId })
      return {}
    },

    async remindProcess(context, { processId }) {
      const { tx, now } = context
      const row = await lockProcess(tx, processId)
      if (Math.max(row.reminded_at ?? 0, row.launched_at ?? 0) > now - remindEveryMs)
        return fail('duplicateOperation', { zh: '两小时内只能提醒一次', en: 'at most every two hours' })
      await tx.updateTable('process').set({ reminded_at: now }).where('id', '=', processId).execute()
      for (const event of await reminderOf(actingOf(context), row)) context.event(event)
      return {}
    },

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

    async delLauncherRemind(context, { processId }) {
      const { accountId } = actorOf(context)
      await sql`
        update notice set read_at = ${context.now}
        where account_id = ${accountId} and notice_group = 'workflow' and key = ${`launcher ${processId}`}
          and read_at is null`.execute(context.tx)
      return {}
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

/** The push that tells those whom a process waits for once more; of them only some, if they are named. */
export async function reminderOf(acting: Acting, row: ProcessRow, some?: readonly number[]): Promise<PersonalEvent[]> {
  const { tx, now } = acting
  const { rows } = await sql<{ account_id: number; node: string }>`
    select distinct account_id, node from process_task where process_id = ${row.id} and mode = 'decide'`.execute(tx)
  const people = rows.map(({ account_id }) => account_id).filter((one) => some?.includes(one) ?? true)
  if (people.length === 0) return []
  const launcher = await sql<{ name: string }>`select name from account where id = ${row.launcher_id}`.execute(tx)
  return [
    personal('processPlayer', [...new Set([...people, ...(await standInsOf(acting, people))])], {
      ...{ serverId: 0, processId: row.id, processName: row.title, launcherName: launcher.rows[0]?.name ?? '' },
      ...{ processState: 0, nodeState: 0, nodeName: row.node_names, comment: '', createTime: now, reminder: true },
    }),
  ]
}
