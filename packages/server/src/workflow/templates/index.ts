// Templates of workflows: drafts, versions, checks and simulation ([R269]).
import { type AdministeredTemplate, features, type TemplateBody } from '@cloudoc/contract'
import { fail, type Template, type TemplateProblem, templateChanges } from '@cloudoc/domain'
import { type RawBuilder, sql } from 'kysely'
import { actorOf } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { simulationHandlers } from './simulation.ts'
import { problemsOf } from './template-facts.ts'

export { namedRoad } from './template-facts.ts'

/** The published body of a version; undefined if there is none. */
export async function bodyOf(db: Db, templateId: number, version: number): Promise<TemplateBody | undefined> {
  const row = await db
    .selectFrom('workflow_version')
    .select('body')
    .where('template_id', '=', templateId)
    .where('number', '=', version)
    .executeTakeFirst()
  return row?.body
}

const nodeNamesOf = ({ nodes }: Template): string[] =>
  nodes.flatMap((node) => (node.type === 'task' ? [node.name] : []))

interface TemplateRow {
  readonly templateId: number
  readonly templateName: string
  readonly note: string
  readonly version: number
  readonly enabled: boolean
  readonly updateTime: number
  readonly updatedBy: string
  readonly running: number
  readonly hasDraft: boolean
  readonly body: TemplateBody | null
  readonly usedTime: number
}

/** Templates with what their lists show; `which` is a condition on `t`. */
async function templatesOf(db: Db, accountId: number, which: RawBuilder<unknown>): Promise<TemplateRow[]> {
  const { rows } = await sql<TemplateRow>`
    select t.id as "templateId", t.name as "templateName", t.note, t.version, t.enabled, t.updated_at as "updateTime",
      a.name as "updatedBy",
      (select count(*)::int from process p where p.template_id = t.id and p.status in ('running', 'back')) as running,
      exists (select 1 from workflow_draft d where d.template_id = t.id and d.account_id = ${accountId}) as "hasDraft",
      coalesce(v.body, (
        select d.body from workflow_draft d where d.template_id = t.id and d.account_id = ${accountId})) as body,
      coalesce((
        select max(p.created_at) from (
          select template_id, created_at from process where launcher_id = ${accountId} order by id desc limit 50) p
        where p.template_id = t.id), 0) as "usedTime"
    from workflow_template t join account a on a.id = t.updated_by
      left join workflow_version v on v.template_id = t.id and v.number = t.version
    where t.deleted_at is null and ${which} order by t.name, t.id limit 500`.execute(db)
  return rows
}

const asListed = ({ templateId, templateName, note, version, usedTime, body }: TemplateRow) => ({
  ...{ templateId, templateName, note, version, usedTime },
  nodeNames: body === null ? [] : nodeNamesOf(body),
})

const asAdministered = (row: TemplateRow): AdministeredTemplate => {
  const { enabled, running, updateTime, updatedBy, hasDraft } = row
  return { ...asListed(row), enabled, running, updateTime, updatedBy, hasDraft }
}

/** The names behind the ids in a template, by `user:1` and the like. */
async function namesIn(db: Db, body: Template): Promise<{ key: string; name: string }[]> {
  const rules = body.nodes.flatMap((node) => ('handlers' in node ? node.handlers : []))
  const tasks = body.nodes.flatMap((node) => (node.type === 'task' ? [node] : []))
  const users = [
    ...rules.flatMap((rule) => (rule.by === 'people' ? rule.ids : [])),
    ...tasks.flatMap(({ empty, deadline }) => [...(empty.to === 'people' ? empty.ids : []), ...(deadline?.to ?? [])]),
  ]
  const folders = body.nodes.flatMap((node) => (node.type === 'archive' && node.folderId > 0 ? [node.folderId] : []))
  const groups = [
    ...rules.flatMap((rule) => (rule.by === 'head' ? [rule.groupId] : [])),
    ...body.edges.flatMap(({ when }) =>
      when.flatMap(({ of, value }) => (of === 'launcher.department' ? value.split(',').map(Number) : [])),
    ),
  ].filter((id) => Number.isSafeInteger(id))
  const { rows } = await sql<{ key: string; name: string }>`
    select 'user:' || id as key, name from account where id = any(${users})
    union all select 'role:' || id, name from role
      where id = any(${rules.flatMap((rule) => (rule.by === 'role' ? [rule.id] : []))})
    union all select 'group:' || id, name from org_group where id = any(${groups})
    union all select 'folder:' || id, name from item where id = any(${folders}) and deleted_at is null`.execute(db)
  return rows
}

const isSettled = (problems: readonly TemplateProblem[]): boolean => problems.length === 0

export function templateHandlers(settings: Services['settings']) {
  return implement(features.processTemplates.calls, {
    async getProcessTemplateList(context) {
      const { accountId } = actorOf(context)
      const rows = await templatesOf(context.db, accountId, sql`t.enabled and t.version > 0`)
      return { list: rows.map(asListed).sort((a, b) => b.usedTime - a.usedTime) }
    },

    async getProcessTemplate(context, { templateId }) {
      const { accountId } = actorOf(context)
      const [row] = await templatesOf(context.db, accountId, sql`t.id = ${templateId} and t.enabled and t.version > 0`)
      if (row === undefined) return fail('notFound')
      const body = (await bodyOf(context.db, templateId, row.version)) ?? fail('notFound')
      return { ...asListed(row), body }
    },

    async getProcessTemplates(context) {
      const rows = await templatesOf(context.db, actorOf(context).accountId, sql`true`)
      return { list: rows.map(asAdministered) }
    },

    async getProcessTemplateDraft(context, { templateId }) {
      const { db } = context
      const { accountId } = actorOf(context)
      const [row] = await templatesOf(db, accountId, sql`t.id = ${templateId}`)
      if (row === undefined) return fail('notFound')
      const draft = await db
        .selectFrom('workflow_draft')
        .selectAll()
        .where('template_id', '=', templateId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      const published = await bodyOf(db, templateId, row.version)
      const body = draft?.body ?? published ?? fail('notFound')
      const isBehind = draft !== undefined && draft.base_version < row.version
      const base = isBehind ? await bodyOf(db, templateId, draft.base_version) : undefined
      const { rows: versions } = await sql<{
        version: number
        publishTime: number
        publishedBy: string
        running: number
      }>`
        select v.number as version, v.published_at as "publishTime", a.name as "publishedBy", (
          select count(*)::int from process p where p.template_id = v.template_id and p.template_version = v.number
            and p.status in ('running', 'back')) as running
        from workflow_version v join account a on a.id = v.published_by
        where v.template_id = ${templateId} order by v.number desc limit 200`.execute(db)
      return {
        ...asAdministered(row),
        ...(draft !== undefined && { templateName: draft.name, note: draft.note }),
        body,
        baseVersion: draft?.base_version ?? row.version,
        published: published ?? null,
        base: base ?? null,
        problems: await problemsOf(db, body),
        names: await namesIn(db, body),
        versions,
      }
    },

    async saveProcessTemplate(context, { templateId, templateName, note, body, baseVersion }) {
      const { tx, now } = context
      const { accountId } = actorOf(context)
      const name = templateName.trim()
      let id = templateId
      if (id === 0) {
        const made = await tx
          .insertInto('workflow_template')
          .values({ name, note, created_by: accountId, updated_by: accountId, updated_at: now })
          .returning('id')
          .executeTakeFirstOrThrow()
        id = made.id
      } else if ((await lockTemplate(tx, id)).version !== baseVersion) {
        return fail('fileConflict', await conflictOf(tx, id))
      }
      context.audit({ templateId: id })
      if (await isPublished(tx, id, { name, note, body })) {
        await tx
          .deleteFrom('workflow_draft')
          .where('template_id', '=', id)
          .where('account_id', '=', accountId)
          .execute()
        return { templateId: id, problems: await problemsOf(tx, body) }
      }
      await sql`
        insert into workflow_draft (template_id, account_id, base_version, name, note, body, saved_at)
        values (${id}, ${accountId}, ${baseVersion}, ${name}, ${note}, ${JSON.stringify(body)}, ${now})
        on conflict (template_id, account_id) do update set base_version = excluded.base_version,
          name = excluded.name, note = excluded.note, body = excluded.body, saved_at = excluded.saved_at`.execute(tx)
      return { templateId: id, problems: await problemsOf(tx, body) }
    },

    async publishProcessTemplate(context, { templateId, baseVersion }) {
      const { tx, now } = context
      const { accountId } = actorOf(context)
      const { version } = await lockTemplate(tx, templateId)
      if (version !== baseVersion) return fail('fileConflict', await conflictOf(tx, templateId))
      const draft = await tx
        .selectFrom('workflow_draft')
        .selectAll()
        .where('template_id', '=', templateId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      if (draft === undefined)
        return fail('notFound', { zh: '没有未发布的修改', en: 'there are no unpublished changes' })
      const problems = await problemsOf(tx, draft.body)
      if (!isSettled(problems)) return { version: 0, problems }
      const number = version + 1
      await tx
        .insertInto('workflow_version')
        .values({
          ...{ template_id: templateId, number, name: draft.name, body: JSON.stringify(draft.body) },
          ...{ published_by: accountId, published_at: now },
        })
        .execute()
      await tx
        .updateTable('workflow_template')
        .set({ name: draft.name, note: draft.note, version: number, updated_by: accountId, updated_at: now })
        .where('id', '=', templateId)
        .execute()
      await tx
        .deleteFrom('workflow_draft')
        .where('template_id', '=', templateId)
        .where('account_id', '=', accountId)
        .execute()
      context.audit({ version: number })
      return { version: number, problems: [] }
    },

    async setProcessTemplateState(context, { templateId, enabled }) {
      const { tx, now } = context
      await lockTemplate(tx, templateId)
      await tx
        .updateTable('workflow_template')
        .set({ enabled, updated_by: actorOf(context).accountId, updated_at: now })
        .where('id', '=', templateId)
        .execute()
      return {}
    },

    async deleteProcessTemplate(context, { templateId }) {
      const { tx, now } = context
      await lockTemplate(tx, templateId)
      await tx.updateTable('workflow_template').set({ deleted_at: now }).where('id', '=', templateId).execute()
      await tx.deleteFrom('workflow_draft').where('template_id', '=', templateId).execute()
      return {}
    },

    ...simulationHandlers(settings),
  })
}

/** Whether a draft says nothing but what is published. */
async function isPublished(
  db: Db,
  id: number,
  draft: { readonly name: string; readonly note: string; readonly body: TemplateBody },
): Promise<boolean> {
  const row = await db
    .selectFrom('workflow_template')
    .select(['name', 'note', 'version'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined || row.name !== draft.name || row.note !== draft.note) return false
  const body = await bodyOf(db, id, row.version)
  return body !== undefined && templateChanges(body, draft.body).length === 0
}

async function lockTemplate(db: Db, id: number): Promise<{ readonly version: number }> {
  const { rows } = await sql<{ version: number }>`
    select version from workflow_template where id = ${id} and deleted_at is null for no key update`.execute(db)
  return rows[0] ?? fail('notFound')
}

/** Who has published meanwhile, and when. */
async function conflictOf(db: Db, id: number): Promise<{ readonly zh: string; readonly en: string }> {
  const { rows } = await sql<{ name: string; version: number }>`
    select a.name, t.version from workflow_template t join account a on a.id = t.updated_by
    where t.id = ${id}`.execute(db)
  const { name = '', version = 0 } = rows[0] ?? {}
  return {
    zh: `${name} 已发布版本 ${version}，请在新版本上修改`,
    en: `${name} has published version ${version} meanwhile: begin from that one`,
  }
}
